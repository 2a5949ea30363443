package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.OnBusy;
import dev.leasehold.annotation.Lock.OnLoss;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MutinyIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withRedis(Desk.class);

    @Inject
    Leasehold leasehold;

    @Inject
    Desk desk;

    @Inject
    Vertx vertx;

    private boolean isHeld(String name) {
        return leasehold.lock(name).inspect().isPresent();
    }

    private <T> UniAssertSubscriber<T> subscribe(Uni<T> uni) {
        return uni.subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    @Test
    void acquiresAtEachSubscriptionAndReleasesBeforeTheItemArrives() {
        Uni<Long> token = desk.token(null);
        assertThat(isHeld("token")).isFalse();
        long first = token.await().atMost(LIMIT);
        assertThat(isHeld("token")).isFalse();
        assertThat(token.await().atMost(LIMIT)).isGreaterThan(first);
    }

    @Test
    void holdsTheLockUntilTheUniEnds() {
        CompletableFuture<String> work = new CompletableFuture<>();
        UniAssertSubscriber<String> result = subscribe(desk.later(work));
        await().atMost(LIMIT).until(() -> isHeld("later"));
        work.complete("done");
        assertThat(result.awaitItem(LIMIT).getItem()).isEqualTo("done");
        assertThat(isHeld("later")).isFalse();
    }

    @Test
    void releasesTheLockIfTheUniFails() {
        CompletableFuture<String> work = new CompletableFuture<>();
        work.completeExceptionally(new IllegalArgumentException("no money"));
        subscribe(desk.later(work)).awaitFailure(LIMIT).assertFailedWith(IllegalArgumentException.class, "no money");
        assertThat(isHeld("later")).isFalse();
    }

    @Test
    void releasesTheLockIfTheSubscriberCancels() {
        CompletableFuture<String> work = new CompletableFuture<>();
        desk.running.set(false);
        UniAssertSubscriber<String> result = subscribe(desk.later(work));
        await().atMost(LIMIT).until(() -> desk.running.get());
        result.cancel();
        await().atMost(LIMIT).until(() -> !isHeld("later"));
    }

    @Test
    void endsAnAcquisitionThatTheSubscriberCancels() {
        Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
        Infrastructure.setDroppedExceptionHandler(dropped::add);
        Lease other = leasehold.lock("waiting").tryAcquire().orElseThrow();
        UniAssertSubscriber<String> result = subscribe(desk.waiting());
        await().atMost(LIMIT)
                .until(() -> leasehold.lock("waiting").inspect().stream()
                        .anyMatch(lock -> !lock.waiters().isEmpty()));
        result.cancel();
        await().atMost(LIMIT)
                .until(() -> leasehold.lock("waiting").inspect().stream()
                        .allMatch(lock -> lock.waiters().isEmpty()));
        other.close();
        assertThat(isHeld("waiting")).isFalse();
        Infrastructure.resetDroppedExceptionHandler();
        assertThat(dropped).isEmpty();
    }

    @Test
    void endsAnAcquisitionForAStageThatIsCancelledOnAnEventLoop() {
        Lease other = leasehold.lock("waiting").tryAcquire().orElseThrow();
        CompletableFuture<CompletionStage<String>> begun = new CompletableFuture<>();
        vertx.runOnContext(nothing -> begun.complete(desk.waitingStage()));
        assertThat(begun).succeedsWithin(LIMIT);
        await().atMost(LIMIT)
                .until(() -> leasehold.lock("waiting").inspect().stream()
                        .anyMatch(lock -> !lock.waiters().isEmpty()));
        begun.join().toCompletableFuture().cancel(true);
        await().atMost(LIMIT)
                .until(() -> leasehold.lock("waiting").inspect().stream()
                        .allMatch(lock -> lock.waiters().isEmpty()));
        other.close();
        assertThat(isHeld("waiting")).isFalse();
    }

    @Test
    void holdsTheLockUntilTheMultiEnds() {
        AssertSubscriber<Integer> result = desk.count().subscribe().withSubscriber(AssertSubscriber.create(1));
        result.awaitItems(1, LIMIT);
        assertThat(isHeld("count")).isTrue();
        result.request(10).awaitCompletion(LIMIT).assertItems(1, 2, 3);
        assertThat(isHeld("count")).isFalse();
    }

    @Test
    void reportsThatTheLockIsBusyOrDoesWhatTheAnnotationSays() {
        try (Lease other = leasehold.lock("token").tryAcquire().orElseThrow()) {
            subscribe(desk.token(null)).awaitFailure(LIMIT).assertFailedWith(LockNotAcquiredException.class);
            assertThat(desk.skip().await().atMost(LIMIT)).isNull();
        }
    }

    @Test
    void joinsTheLockOfAnOuterCallOfTheSameChain() {
        assertThat(desk.outer(desk).await().atMost(LIMIT)).isEqualTo("inner");
    }

    /** Mutiny gives both the same context. */
    @Test
    void doesNotJoinTheLockOfACallBesideIt() {
        CompletableFuture<String> work = new CompletableFuture<>();
        Uni<String> beside = Uni.createFrom()
                .completionStage(desk.started)
                .chain(started -> desk.skipBeside())
                .onTermination()
                .invoke(() -> work.complete("done"));
        Uni<List<Object>> both =
                Uni.combine().all().unis(desk.beside(work), beside).with(ArrayList::new);
        assertThat(both.await().atMost(LIMIT)).containsExactly("done", null);
    }

    @Test
    void reportsTheLossOfTheLeaseAfterTheEnd() {
        CompletableFuture<String> work = new CompletableFuture<>();
        UniAssertSubscriber<String> result = subscribe(desk.later(work));
        await().atMost(LIMIT).until(() -> isHeld("later"));
        leasehold.lock("later").forceRelease();
        work.complete("done");
        result.awaitFailure(LIMIT).assertFailedWith(LeaseLostException.class);
    }

    @Test
    void endsTheMethodWhenTheLeaseIsLostIfAskedTo() {
        UniAssertSubscriber<String> result = subscribe(desk.ended());
        await().atMost(LIMIT).until(() -> isHeld("ended"));
        leasehold.lock("ended").forceRelease();
        result.awaitFailure(LIMIT).assertFailedWith(LeaseLostException.class);
    }

    @Test
    void staysOnTheEventLoopAndDoesNotBlockIt() {
        CompletableFuture<String> thread = new CompletableFuture<>();
        vertx.runOnContext(nothing -> desk.thread().subscribe().with(thread::complete, thread::completeExceptionally));
        assertThat(thread).succeedsWithin(LIMIT).asString().contains("eventloop");
    }

    @Test
    void acquiresForAStageOnAnEventLoop() {
        CompletableFuture<String> result = new CompletableFuture<>();
        vertx.runOnContext(nothing -> desk.stage().whenComplete((value, error) -> {
            if (error == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(error);
            }
        }));
        assertThat(result).succeedsWithin(LIMIT).isEqualTo("done");
        assertThat(isHeld("stage")).isFalse();
    }

    @Test
    void refusesToBlockAnEventLoop() {
        CompletableFuture<String> result = new CompletableFuture<>();
        vertx.runOnContext(nothing -> {
            try {
                result.complete(desk.plain());
            } catch (IllegalStateException e) {
                result.complete(e.getMessage());
            }
        });
        assertThat(result).succeedsWithin(LIMIT).asString().contains("Desk.plain() would block an event loop");
    }

    /** As a worker thread of Vert.x may. */
    @Test
    void theClientRefusesToBlockAnEventLoopAndReleasesThereWithoutWaiting() {
        CompletableFuture<String> refused = new CompletableFuture<>();
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        CompletableFuture<Boolean> onWorker = new CompletableFuture<>();
        Lease lease = leasehold.lock("loop").tryAcquire().orElseThrow();
        vertx.runOnContext(nothing -> {
            lease.close();
            released.complete(!lease.isHeld());
            try {
                refused.complete(leasehold.lock("loop").tryAcquire().toString());
            } catch (IllegalStateException e) {
                refused.complete(e.getMessage());
            }
        });
        var unused = vertx.executeBlocking(() -> {
            try (Lease held = leasehold.lock("worker").acquire()) {
                return onWorker.complete(held.isHeld());
            }
        });
        assertThat(refused).succeedsWithin(LIMIT).asString().contains("would block the event loop", "Async");
        assertThat(released).succeedsWithin(LIMIT).isEqualTo(true);
        await().atMost(LIMIT).until(() -> !isHeld("loop"));
        assertThat(onWorker).succeedsWithin(LIMIT).isEqualTo(true);
    }

    @Singleton
    static class Desk {

        final AtomicBoolean running = new AtomicBoolean();
        final CompletableFuture<Void> started = new CompletableFuture<>();

        @Lock("token")
        Uni<Long> token(@Nullable Lease lease) {
            long token = lease == null ? 0 : lease.fencingToken();
            return Uni.createFrom().item(token);
        }

        @Lock("later")
        Uni<String> later(CompletionStage<String> work) {
            running.set(true);
            return Uni.createFrom().completionStage(work);
        }

        @Lock(name = "waiting", waitTime = "1m")
        Uni<String> waiting() {
            return Uni.createFrom().item("never");
        }

        @Lock(name = "waiting", waitTime = "1m")
        CompletionStage<String> waitingStage() {
            return CompletableFuture.completedFuture("never");
        }

        @Lock("count")
        Multi<Integer> count() {
            return Multi.createFrom().items(1, 2, 3);
        }

        @Lock(name = "token", onBusy = OnBusy.SKIP)
        Uni<String> skip() {
            return Uni.createFrom().item("not skipped");
        }

        @Lock("nested")
        Uni<String> outer(Desk bean) {
            return Uni.createFrom().item("outer").chain(item -> bean.inner());
        }

        @Lock("nested")
        Uni<String> inner() {
            return Uni.createFrom().item("inner");
        }

        @Lock("beside")
        Uni<String> beside(CompletionStage<String> work) {
            started.complete(null);
            return Uni.createFrom().completionStage(work);
        }

        @Lock(name = "beside", onBusy = OnBusy.SKIP)
        Uni<String> skipBeside() {
            return Uni.createFrom().item("joined");
        }

        @Lock(name = "ended", onLoss = OnLoss.INTERRUPT)
        Uni<String> ended() {
            return Uni.createFrom().nothing();
        }

        @Lock("thread")
        Uni<String> thread() {
            return Uni.createFrom().item(Thread.currentThread().getName());
        }

        @Lock("stage")
        CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("done");
        }

        @Lock("plain")
        String plain() {
            return "blocked";
        }
    }
}
