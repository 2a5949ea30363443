package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rare events of a real server: its clock steps, a replica's clock is ahead, a temporary error state. */
class ServerHazardsTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();
    private final List<Object> losses = new ArrayList<>();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    private Lease held() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        lease.onLost(losses::add);
        return lease;
    }

    /**
     * Checks that another client acquires the lock, the former holder is notified at its next renewal, and its
     * token is exceeded.
     */
    private void isTakenFrom(Lease lease) {
        Lease next = other.lock("a").tryAcquire().orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        clock.advance(LEASE.dividedBy(3));
        assertThat(losses).hasSize(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
    }

    @Test
    void aStepForwardOfTheServersClockEndsHoldsAndTheirHoldersAreNotifiedAtTheNextRenewal() {
        Lease lease = held();
        own.redis().stepClock(LEASE.plusSeconds(1));
        isTakenFrom(lease);
    }

    @Test
    void aStepBackOfTheServersClockMakesTheHoldOfADeadHolderNoLongerThanOneLease() throws InterruptedException {
        Lease lease = held();
        own.redis().stepClock(Duration.ofHours(-1));
        own.cutOff(true);
        long before = clock.nanoTime();
        Lease next = other.lock("a").tryAcquire(Duration.ofMinutes(2)).orElseThrow();
        assertThat(Duration.ofNanos(clock.nanoTime() - before)).isLessThan(LEASE.plusSeconds(6));
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void aPromotedReplicaWhoseClockIsAheadEndsHoldsAndTheirHoldersAreNotifiedAtTheNextRenewal() {
        Lease lease = held();
        own.redis().failOver(0, LEASE.plusSeconds(10));
        isTakenFrom(lease);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOADING Redis is loading the dataset in memory",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist on disk.",
                "NOREPLICAS Not enough good replicas to write.",
                "READONLY You can't write against a read only replica.",
                "CLUSTERDOWN The cluster is down",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "ERR Script attempted to access a non local key in a cluster node script: 0f, on @user_script:1.",
                "ERR Script attempted to execute a command while the cluster is down script: 0f, on @user_script:1."
            })
    void aTemporaryStateIsRetriedWithinTheTimeAndReportedByNameAfterIt(String error) throws Exception {
        own.redis().failNext(3, error);
        Lease lease = own.lock("a").tryAcquire(Duration.ofSeconds(5)).orElseThrow();
        lease.onLost(losses::add);
        own.redis().failNext(2, error);
        clock.advance(LEASE.multipliedBy(2));
        assertThat(lease.isHeld()).isTrue();
        assertThat(losses).isEmpty();
        own.redis().failNext(Integer.MAX_VALUE, error);
        assertThatThrownBy(() -> other.lock("b").tryAcquire(Duration.ofSeconds(5)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(error.substring(0, error.indexOf(' ')));
        own.redis().failNext(0, error);
    }
}
