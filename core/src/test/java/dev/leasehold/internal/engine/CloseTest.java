package dev.leasehold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.request.ParkedThreads;
import dev.leasehold.internal.time.SystemTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Closing wakes whoever waits, gives back what is held or comes, and refuses what is new. */
class CloseTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final EngineRig rig = new EngineRig();

    @Test
    void aThreadThatPausesIsWokenWithAClearException() throws InterruptedException {
        rig.time.standStill();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "3600000000"));
        LockOptions patient = LockOptions.builder()
                .waitStrategy(WaitStrategy.polling(Duration.ofHours(1)))
                .build();
        AtomicReference<Throwable> told = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                rig.lock(patient).acquire();
            } catch (InterruptedException | RuntimeException e) {
                told.set(e);
            }
        });
        waiter.start();
        Awaitility.await().atMost(LONG).until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
        rig.engine.shutDown();
        waiter.join(LONG.toMillis());
        assertThat(told.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThat(rig.records()).isEmpty();
    }

    /** A close between the waiter's last check and its parking once missed it: it slept its whole interval. */
    @Test
    void whoClosesWhileTheSeatIsTakenIsNotMissed() {
        ParkedThreads seats = new ParkedThreads(new SystemTime());
        assertTimeoutPreemptively(LONG, () -> {
            seats.pause(() -> true, Duration.ofHours(1).toNanos());
            seats.pause(
                    () -> {
                        seats.wakeAll();
                        return false;
                    },
                    Duration.ofHours(1).toNanos());
        });
    }

    @Test
    void aGrantThatComesAfterwardsIsGivenBack() {
        DistributedLock lock = rig.lock();
        rig.redis.answers("acquire", call -> {
            rig.engine.shutDown();
            return rig.redis.reply("granted", "30000000", "7");
        });
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.records()).isEmpty();
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void whatIsHeldIsReleasedAndQuietOnceRedisHasAnswered() {
        Lease one = rig.held();
        rig.redis.silent("release");
        rig.engine.shutDown();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(one.isHeld()).isFalse();
        assertThat(rig.engine.quiet()).isFalse();
        rig.redis.last("release").answer().complete(rig.redis.reply("released"));
        assertThat(rig.engine.quiet()).isTrue();
        one.release();
        assertThat(rig.redis.sent("release")).as("idempotent").hasSize(1);
    }

    /** A client that closes may find a lease held just before its holder begins to release it. */
    @Test
    void aLeaseThatItsHolderHasBegunToReleaseIsNotForgotten() {
        Lease unused = rig.held();
        LeaseRecord record = rig.record();
        assertThat(record.releaseCalled().became(LeaseState.RELEASING)).isTrue();
        rig.engine.termination.giveBack(record);
        assertThat(rig.engine.quiet()).isFalse();
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void everythingNewIsRefused() {
        DistributedLock lock = rig.lock();
        rig.engine.shutDown();
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.acquire(Duration.ofSeconds(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::inspect).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::forceRelease).isInstanceOf(IllegalStateException.class);
        assertThat(rig.redis.sent).isEmpty();
    }

    @Test
    void theClocksAreNotWatchedAnyMore() {
        rig.engine.shutDown();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.time.planned()).isZero();
    }
}
