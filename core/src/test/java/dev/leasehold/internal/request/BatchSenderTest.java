package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.store.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Finding 15: the failure of one request never affects another, and no behaviour of a store stops the sender. */
class BatchSenderTest {

    private final VirtualTime time = new VirtualTime();
    private Function<List<?>, List<CompletableFuture<?>>> batch = BatchSenderTest::allAnswered;
    private final BatchSender sender = new BatchSender(new Batches(), time, time, Runnable::run);

    private static List<CompletableFuture<?>> allAnswered(List<?> requests) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        requests.forEach(request -> answers.add(CompletableFuture.completedFuture("ok")));
        return answers;
    }

    /** A store that answers batches and nothing else. */
    private final class Batches extends UnusedStore {
        @Override
        public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
            return batch.apply(requests);
        }
    }

    private record Sent(long timeoutNanos) implements StoreRequest<String> {}

    /** Records the calls of its methods; subclasses throw in one of them. */
    private static class TestRequest implements BatchSender.Request<String> {
        final List<String> events = new ArrayList<>();

        @Override
        public StoreRequest<String> prepare(long now) {
            return new Sent(1_000_000_000);
        }

        @Override
        public void answered(long sentAt, String answer) {
            events.add("answered");
        }

        @Override
        public void failed(Throwable failure) {
            events.add("failed");
        }
    }

    /** Submits all requests in one flush: during the handling of one request the sender sends nothing. */
    private void flush(TestRequest... entries) {
        sender.submit(new TestRequest() {
            @Override
            public StoreRequest<String> prepare(long now) {
                for (TestRequest entry : entries) {
                    sender.submit(entry);
                }
                return null;
            }
        });
    }

    private void assertTheSenderStillWorks() {
        batch = BatchSenderTest::allAnswered;
        TestRequest next = new TestRequest();
        sender.submit(next);
        assertThat(next.events).containsExactly("answered");
    }

    @Test
    void anExceptionOfOneRequestDoesNotAffectTheOthers() {
        List<TestRequest> bad = List.of(
                new TestRequest() {
                    @Override
                    public StoreRequest<String> prepare(long now) {
                        throw new IllegalStateException("prepare");
                    }
                },
                new TestRequest() {
                    @Override
                    public StoreRequest<String> prepare(long now) {
                        throw new NoClassDefFoundError("prepare");
                    }
                },
                new TestRequest() {
                    @Override
                    public void answered(long sentAt, String answer) {
                        throw new IllegalStateException("answered");
                    }
                },
                new TestRequest() {
                    @Override
                    public void answered(long sentAt, String answer) {
                        throw new StackOverflowError("answered");
                    }
                });
        for (TestRequest one : bad) {
            TestRequest before = new TestRequest();
            TestRequest after = new TestRequest();
            flush(before, one, after);
            assertThat(before.events).containsExactly("answered");
            assertThat(after.events).containsExactly("answered");
            assertTheSenderStillWorks();
        }
        assertThat(bad.get(0).events).as("tried again as after any failure").containsExactly("failed");
        assertThat(bad.get(2).events).containsExactly("failed");
    }

    @Test
    void aStoreThatThrowsFailsAllOfItsBatchAndNothingElse() {
        for (Throwable failure : List.of(new IllegalStateException("closed"), new NoClassDefFoundError("shaded"))) {
            batch = calls -> {
                throw BatchSenderTest.<RuntimeException>sneaky(failure);
            };
            TestRequest one = new TestRequest();
            TestRequest two = new TestRequest();
            flush(one, two);
            assertThat(one.events).containsExactly("failed");
            assertThat(two.events).containsExactly("failed");
            assertTheSenderStillWorks();
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    /** A sender that stopped here cost every lease of the client. */
    @Test
    void aStoreThatReturnsTooFewAnswersFailsOnlyTheRequestsWithoutOne() {
        batch = calls -> allAnswered(calls.subList(0, 1));
        TestRequest one = new TestRequest();
        TestRequest two = new TestRequest();
        flush(one, two);
        assertThat(one.events).containsExactly("answered");
        assertThat(two.events).containsExactly("failed");
        batch = calls -> {
            List<CompletableFuture<?>> stages = new ArrayList<>();
            stages.add(null);
            stages.add(CompletableFuture.completedFuture("ok"));
            return stages;
        };
        TestRequest third = new TestRequest();
        TestRequest fourth = new TestRequest();
        flush(third, fourth);
        assertThat(third.events).containsExactly("failed");
        assertThat(fourth.events).containsExactly("answered");
        assertTheSenderStillWorks();
    }

    @Test
    void aMissingAnswerFailsItsRequestInTimeAndIsHandledWhenItArrivesLate() {
        CompletableFuture<String> answer = new SelfTimedAnswer<>();
        batch = calls -> List.of(answer);
        List<String> late = new ArrayList<>();
        TestRequest entry = new TestRequest() {
            @Override
            public StoreRequest<String> prepare(long now) {
                return new Sent(100_000_000);
            }

            @Override
            public void answeredLate(long sentAt, String answer) {
                late.add(answer);
            }
        };
        sender.submit(entry);
        time.pass(Duration.ofMillis(99));
        assertThat(entry.events).isEmpty();
        time.pass(Duration.ofMillis(1));
        assertThat(entry.events).containsExactly("failed");
        answer.complete("after all");
        assertThat(entry.events).containsExactly("failed");
        assertThat(late).containsExactly("after all");
    }

    @Test
    void aStoreThatAnswersAtOnceOnTheCallersThreadCausesNoRecursion() {
        int[] left = {10_000};
        sender.submit(new TestRequest() {
            @Override
            public void answered(long sentAt, String answer) {
                if (--left[0] > 0) {
                    sender.submit(this);
                }
            }
        });
        assertThat(left[0]).isZero();
    }

    @Test
    void aStoreThatBlocksNeverBlocksTheTimer() throws InterruptedException {
        ExecutorService own = Executors.newSingleThreadExecutor();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        batch = calls -> {
            blocked.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return allAnswered(calls);
        };
        BatchSender busy = new BatchSender(new Batches(), time, time, own);
        List<String> fired = new ArrayList<>();
        time.schedule(() -> busy.submit(new TestRequest()), 1);
        time.schedule(() -> fired.add("the timer still fires"), 2);
        time.pass(Duration.ofNanos(1));
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        time.schedule(() -> busy.submit(new TestRequest()), 0);
        time.pass(Duration.ofSeconds(1));
        assertThat(fired).containsExactly("the timer still fires");
        released.countDown();
        own.shutdown();
        assertThat(own.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
}
