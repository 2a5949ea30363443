package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Acquisitions without a waiting thread: cancelled at each step, timed out, answered at once, closed under way. */
class AsyncDriverTest {

    private final EngineRig rig = new EngineRig();

    private CompletableFuture<Lease> acquire() {
        return rig.lock().acquireAsync().toCompletableFuture();
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return future.handle((value, failure) -> failure).join();
    }

    private void assertNothingIsHeldOrPlanned() {
        assertThat(rig.records()).isEmpty();
        assertThat(rig.lifecycle().running()).isZero();
        rig.pass(Duration.ofMinutes(2));
        assertThat(rig.redis.sent("renew")).isEmpty();
    }

    @Test
    void isAnsweredAtOnceOnTheCallersThread() {
        assertThat(acquire()).isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void isAnsweredLater() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> lease = acquire();
        rig.pass(Duration.ofSeconds(1));
        assertThat(lease).isNotDone();
        rig.redis.last("acquire").answer().complete(rig.redis.reply("granted", "30000000", "7"));
        assertThat(lease).isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void waitsWhileTheLockIsBusyForAnyNumberOfTries() {
        int[] busy = {10_000};
        rig.redis.answers(
                "acquire",
                call -> busy[0]-- > 0
                        ? rig.redis.reply("busy", "30000000")
                        : rig.redis.reply("granted", "30000000", "7"));
        CompletableFuture<Lease> lease = acquire();
        rig.pass(Duration.ofMinutes(10));
        assertThat(lease).isCompletedWithValueMatching(Lease::isHeld);
        assertThat(rig.redis.sent("acquire")).hasSize(10_001);
    }

    @Test
    void endsBusyWhenItsTimeIsUp() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000"));
        CompletableFuture<Lease> lease =
                rig.lock().acquireAsync(Duration.ofSeconds(1)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(1));
        assertThat(failureOf(lease)).isInstanceOf(LockNotAcquiredException.class);
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void withoutAnAnswerItEndsUnavailableAndReleasesWhatItMayHaveAcquired() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> lease =
                rig.lock().acquireAsync(Duration.ofSeconds(3)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(3));
        assertThat(failureOf(lease))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        assertThat(rig.redis.sent("release")).isNotEmpty();
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void cancelledInFlightItReleasesALateGrantWhichChangesNothing() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> lease = acquire();
        lease.cancel(false);
        assertThat(rig.redis.sent("release")).hasSize(1);
        rig.redis.last("acquire").answer().complete(rig.redis.reply("granted", "30000000", "7"));
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void cancelledInAPauseItSendsNothingMore() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000"));
        CompletableFuture<Lease> lease = acquire();
        lease.cancel(false);
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.redis.sent("acquire")).hasSize(1);
        assertThat(rig.redis.sent("release")).isEmpty();
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void cancelledAfterTheGrantItIsTheCallersLease() {
        CompletableFuture<Lease> lease = acquire();
        assertThat(lease.cancel(false)).isFalse();
        assertThat(lease.join().isHeld()).isTrue();
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    /** As orTimeout does. Once the lease was granted to no caller, and renewed until the garbage collector found it. */
    @Test
    void completedByTheCallerItEndsAsIfCancelled() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> timedOut = acquire();
        timedOut.completeExceptionally(new java.util.concurrent.TimeoutException());
        assertThat(rig.redis.sent("release")).hasSize(1);
        CompletableFuture<Lease> completed = acquire();
        completed.complete(null);
        rig.redis.last("acquire").answer().complete(rig.redis.reply("granted", "30000000", "7"));
        assertThat(rig.redis.sent("release").size()).isGreaterThanOrEqualTo(2);
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void closedInFlightAndInAPauseItEndsAtOnce() {
        rig.redis.silent("acquire");
        CompletableFuture<Lease> inFlight = acquire();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000"));
        CompletableFuture<Lease> paused = acquire();
        rig.engine.shutDown();
        assertThat(failureOf(inFlight))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(failureOf(paused)).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThat(rig.redis.sent("release")).as("for the request in flight").hasSize(1);
        assertThat(failureOf(acquire())).isInstanceOf(IllegalStateException.class);
        assertNothingIsHeldOrPlanned();
    }

    @Test
    void closedAfterTheGrantItsLeaseIsReleased() {
        Lease lease = acquire().join();
        rig.engine.shutDown();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(rig.engine.quiet()).isTrue();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void anExecutorThatRefusesDoesNotLeaveItHanging() {
        Engine refused = new Engine(rig.parts(
                rig.redis,
                Runnable::run,
                task -> {
                    throw new RejectedExecutionException("full");
                },
                true,
                EngineRig.limits()));
        rig.redis.silent("acquire");
        CompletableFuture<Lease> lease =
                refused.lock(EngineRig.KEY, EngineRig.OPTIONS).acquireAsync().toCompletableFuture();
        rig.redis.last("acquire").answer().complete(rig.redis.reply("granted", "30000000", "7"));
        assertThat(lease).isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void anExceptionOfTheTransportIsRetriedAndABrokenContractIsThrown() {
        rig.redis.breaks("acquire", new IllegalStateException("broken"));
        CompletableFuture<Lease> lease = acquire();
        rig.redis.answers("acquire", call -> rig.redis.reply("granted", "30000000", "7"));
        rig.pass(Duration.ofSeconds(1));
        assertThat(lease).isCompletedWithValueMatching(Lease::isHeld);
        EngineRig other = new EngineRig();
        other.redis.answers("acquire", call -> {
            throw new NoClassDefFoundError("shaded");
        });
        CompletableFuture<Lease> broken = other.lock().acquireAsync().toCompletableFuture();
        other.pass(Duration.ofSeconds(20));
        assertThat(failureOf(broken)).hasMessageContaining("shaded");
        assertThat(other.records()).isEmpty();
    }

    @Test
    void aGarbledAnswerIsTriedAgain() {
        int[] garbled = {1};
        rig.redis.answers(
                "acquire",
                call -> garbled[0]-- > 0 ? List.of("surprise") : rig.redis.reply("granted", "30000000", "7"));
        CompletableFuture<Lease> lease = acquire();
        rig.pass(Duration.ofSeconds(1));
        assertThat(lease).isCompletedWithValueMatching(Lease::isHeld);
    }

    @Test
    void aReleaseWithoutAWaitingThreadIsSentAtOnceAndEndsWithItsAnswer() {
        rig.redis.silent("release");
        Lease lease = rig.held();
        CompletableFuture<Void> released = lease.releaseAsync().toCompletableFuture();
        assertThat(lease.isHeld()).isFalse();
        assertThat(released).isNotDone();
        assertThat(rig.engine.quiet()).isFalse();
        rig.redis.last("release").answer().complete(rig.redis.reply("released"));
        assertThat(released).isCompleted();
        assertThat(rig.engine.quiet()).isTrue();
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompleted();
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void aReleaseThatFindsTheLockTakenFailsWithTheLossOnce() {
        Lease lease = rig.held();
        rig.redis.answers("release", call -> rig.redis.reply("gone", "taken"));
        assertThat(failureOf(lease.releaseAsync().toCompletableFuture())).isInstanceOf(LeaseLostException.class);
        assertThat(lease.releaseAsync().toCompletableFuture()).isCompleted();
    }

    @Test
    void aReleaseWithoutAnswerEndsAfterTheCommandTimeoutAndContinuesInTheBackground() {
        rig.redis.silent("release");
        CompletableFuture<Void> released = rig.held().releaseAsync().toCompletableFuture();
        rig.pass(Duration.ofMillis(1999));
        assertThat(released).isNotDone();
        rig.pass(Duration.ofMillis(1));
        assertThat(released).isCompleted();
        assertThat(rig.redis.last("release").batched()).isTrue();
    }

    @Test
    void aReleaseUnderWayIsNotEndedByClosingTheClientNorByItsCaller() {
        rig.redis.silent("release");
        CompletableFuture<Void> released = rig.held().releaseAsync().toCompletableFuture();
        rig.engine.shutDown();
        assertThat(released).isNotDone();
        released.cancel(false);
        assertThat(rig.engine.quiet()).isFalse();
        rig.redis.last("release").answer().complete(rig.redis.reply("released"));
        assertThat(rig.engine.quiet()).isTrue();
    }

    @Test
    void anExtensionWithoutAWaitingThreadIsATotalForAnyNumberOfTries() {
        Lease lease = rig.held();
        LeaseRecord record = rig.record();
        int[] failures = {2};
        rig.redis.answers("renew", call -> {
            if (failures[0]-- > 0) {
                throw new TransportException("broken", true, null);
            }
            return rig.redis.reply("renewed", call.args().get(1));
        });
        CompletableFuture<Boolean> extended =
                lease.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        assertThat(extended).isNotDone();
        rig.pass(Duration.ofMillis(30));
        assertThat(extended).isCompletedWithValue(true);
        assertThat(record.end() - rig.time.nanoTime()).isEqualTo(90_000_000_000L - 30_000_000L);
    }

    @Test
    void anExtensionWithoutAnswerFailsAndTheLeaseKeepsItsDeadline() {
        Lease lease = rig.held();
        long end = rig.record().end();
        rig.redis.silent("renew");
        CompletableFuture<Boolean> extended =
                lease.extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        rig.pass(Duration.ofSeconds(2));
        assertThat(failureOf(extended)).isInstanceOf(LockUnavailableException.class);
        assertThat(rig.record().end()).isEqualTo(end);
        assertThatThrownBy(() -> lease.extendAsync(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Its stage never ended: the client was closed during a request or between two tries, and its timer ran no more. */
    @Test
    void anExtensionUnderWayEndsWithTheClient() {
        rig.redis.silent("renew");
        CompletableFuture<Boolean> inFlight =
                rig.held().extendAsync(Duration.ofSeconds(60)).toCompletableFuture();
        rig.redis.answers("renew", call -> {
            throw new TransportException("broken", true, null);
        });
        CompletableFuture<Boolean> paused = rig.engine
                .lock(LockKey.of(EngineRig.PREFIX, "b"), EngineRig.OPTIONS)
                .acquireAsync()
                .toCompletableFuture()
                .join()
                .extendAsync(Duration.ofSeconds(60))
                .toCompletableFuture();
        assertThat(paused).isNotDone();
        rig.engine.shutDown();
        for (CompletableFuture<Boolean> extension : List.of(inFlight, paused)) {
            assertThat(failureOf(extension))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(rig.lifecycle().running()).isZero();
    }

    @Test
    void anExtensionOfALostLeaseIsFalse() {
        Lease lease = rig.held();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "free"));
        assertThat(lease.extendAsync(Duration.ofSeconds(1)).toCompletableFuture())
                .isCompletedWithValue(false);
        assertThat(lease.extendAsync(Duration.ofSeconds(1)).toCompletableFuture())
                .isCompletedWithValue(false);
        assertThat(rig.redis.sent("renew")).hasSize(1);
    }
}
