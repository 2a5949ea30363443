package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Finding 15: one entry's trouble never touches another's, and nothing that a transport does stops the lane. */
class BatchSenderTest {

    private final VirtualTime time = new VirtualTime();
    private Function<List<ScriptCall>, List<CompletionStage<List<String>>>> batch = BatchSenderTest::allAnswered;
    private final BatchSender lane = new BatchSender(new Batches(), time, time, Runnable::run);

    private static List<CompletionStage<List<String>>> allAnswered(List<ScriptCall> calls) {
        List<CompletionStage<List<String>>> stages = new ArrayList<>();
        calls.forEach(call -> stages.add(CompletableFuture.completedFuture(List.of("ok"))));
        return stages;
    }

    /** A transport of which only the batch counts. */
    private final class Batches implements RedisTransport {
        @Override
        public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
            return batch.apply(calls);
        }

        @Override
        public CompletionStage<List<String>> eval(ScriptCall call) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<ServerDescription> describe() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Object> command(RedisNode node, List<String> args) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** Notes what happened to it, and may throw in any of its methods. */
    private static class Entry implements BatchSender.Request {
        final List<String> notes = new ArrayList<>();

        @Override
        public ScriptCall prepare(long now) {
            return new ScriptCall(new Script("test", "", ""), List.of("k"), List.of(), 1_000_000_000);
        }

        @Override
        public void answered(long sentAt, List<String> reply) {
            notes.add("answered");
        }

        @Override
        public void failed(Throwable failure) {
            notes.add("failed");
        }
    }

    /** Submits all in one flush: from inside the lane nothing is sent before the handling is over. */
    private void flush(Entry... entries) {
        lane.submit(new Entry() {
            @Override
            public ScriptCall prepare(long now) {
                for (Entry entry : entries) {
                    lane.submit(entry);
                }
                return null;
            }
        });
    }

    private void assertTheLaneGoesOn() {
        batch = BatchSenderTest::allAnswered;
        Entry next = new Entry();
        lane.submit(next);
        assertThat(next.notes).containsExactly("answered");
    }

    @Test
    void whateverOneEntryThrowsTheOthersAreHandled() {
        List<Entry> bad = List.of(
                new Entry() {
                    @Override
                    public ScriptCall prepare(long now) {
                        throw new IllegalStateException("prepare");
                    }
                },
                new Entry() {
                    @Override
                    public ScriptCall prepare(long now) {
                        throw new NoClassDefFoundError("prepare");
                    }
                },
                new Entry() {
                    @Override
                    public void answered(long sentAt, List<String> reply) {
                        throw new IllegalStateException("answered");
                    }
                },
                new Entry() {
                    @Override
                    public void answered(long sentAt, List<String> reply) {
                        throw new StackOverflowError("answered");
                    }
                });
        for (Entry one : bad) {
            Entry before = new Entry();
            Entry after = new Entry();
            flush(before, one, after);
            assertThat(before.notes).containsExactly("answered");
            assertThat(after.notes).containsExactly("answered");
            assertTheLaneGoesOn();
        }
        assertThat(bad.get(0).notes).as("tried again like any other").containsExactly("failed");
        assertThat(bad.get(2).notes).containsExactly("failed");
    }

    @Test
    void aTransportThatThrowsFailsAllOfItsBatchAndNothingElse() {
        for (Throwable failure : List.of(new IllegalStateException("closed"), new NoClassDefFoundError("shaded"))) {
            batch = calls -> {
                throw BatchSenderTest.<RuntimeException>sneaky(failure);
            };
            Entry one = new Entry();
            Entry two = new Entry();
            flush(one, two);
            assertThat(one.notes).containsExactly("failed");
            assertThat(two.notes).containsExactly("failed");
            assertTheLaneGoesOn();
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E sneaky(Throwable failure) throws E {
        throw (E) failure;
    }

    /** A lane that stopped here cost every lease of the client. */
    @Test
    void aTransportThatAnswersTooFewOrNothingFailsOnlyThoseWithoutAnAnswer() {
        batch = calls -> allAnswered(calls.subList(0, 1));
        Entry one = new Entry();
        Entry two = new Entry();
        flush(one, two);
        assertThat(one.notes).containsExactly("answered");
        assertThat(two.notes).containsExactly("failed");
        batch = calls -> {
            List<CompletionStage<List<String>>> stages = new ArrayList<>();
            stages.add(null);
            stages.add(CompletableFuture.completedFuture(List.of("ok")));
            return stages;
        };
        Entry third = new Entry();
        Entry fourth = new Entry();
        flush(third, fourth);
        assertThat(third.notes).containsExactly("failed");
        assertThat(fourth.notes).containsExactly("answered");
        assertTheLaneGoesOn();
    }

    @Test
    void anAnswerThatDoesNotComeFailsItsEntryInTimeAndIsToldLate() {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        batch = calls -> List.of(answer);
        List<String> late = new ArrayList<>();
        Entry entry = new Entry() {
            @Override
            public ScriptCall prepare(long now) {
                return new ScriptCall(new Script("test", "", ""), List.of("k"), List.of(), 100_000_000);
            }

            @Override
            public void answeredLate(long sentAt, List<String> reply) {
                late.addAll(reply);
            }
        };
        lane.submit(entry);
        time.pass(Duration.ofMillis(99));
        assertThat(entry.notes).isEmpty();
        time.pass(Duration.ofMillis(1));
        assertThat(entry.notes).containsExactly("failed");
        answer.complete(List.of("after all"));
        assertThat(entry.notes).containsExactly("failed");
        assertThat(late).containsExactly("after all");
    }

    @Test
    void aTransportThatAnswersAtOnceOnTheCallersThreadCausesNoRecursion() {
        int[] left = {10_000};
        lane.submit(new Entry() {
            @Override
            public void answered(long sentAt, List<String> reply) {
                if (--left[0] > 0) {
                    lane.submit(this);
                }
            }
        });
        assertThat(left[0]).isZero();
    }

    @Test
    void aTransportThatBlocksNeverBlocksTheTimer() throws InterruptedException {
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
        List<String> told = new ArrayList<>();
        time.schedule(() -> busy.submit(new Entry()), 1);
        time.schedule(() -> told.add("the timer went on"), 2);
        time.pass(Duration.ofNanos(1));
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        time.schedule(() -> busy.submit(new Entry()), 0);
        time.pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly("the timer went on");
        released.countDown();
        own.shutdown();
        assertThat(own.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
}
