package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Candidacy;
import dev.leasehold.DemotionReason;
import dev.leasehold.DistributedLatch;
import dev.leasehold.DistributedLock;
import dev.leasehold.LatchNotSetException;
import dev.leasehold.LeaderListener;
import dev.leasehold.Lease;
import dev.leasehold.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryLeaseholdTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold mine = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = mine.another();

    @AfterEach
    void close() {
        mine.close();
        other.close();
    }

    @Test
    void twoClientsExcludeEachOther() {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        lease.release();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLeaseIsRenewedWhileTheClockMoves() {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        clock.advance(LEASE.multipliedBy(10));
        assertThat(lease.isHeld()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
    }

    @Test
    void aClientThatIsCutOffLosesItsLeaseAndHearsOfIt() {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        List<Object> heard = new ArrayList<>();
        lease.onLost(heard::add);
        mine.cutOff(true);
        clock.advance(LEASE.plusSeconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(heard).hasSize(1);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLostReplyIsMadeGoodByASecondRequest() throws InterruptedException {
        mine.dropNextReply();
        Lease lease = mine.lock("a").tryAcquire(Duration.ofSeconds(5)).orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        assertThat(mine.redis().hash("leasehold:{a}").keySet().stream().filter(field -> field.startsWith("h:")))
                .hasSize(1);
    }

    @Test
    void aLostRequestIsSentAgain() throws InterruptedException {
        mine.dropNextRequest();
        assertThat(mine.lock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
    }

    @Test
    void whoeverWaitsMovesTheClock() throws InterruptedException {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        mine.cutOff(true);
        long before = clock.nanoTime();
        Lease next = other.lock("a").tryAcquire(Duration.ofMinutes(1)).orElseThrow();
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(Duration.ofNanos(clock.nanoTime() - before)).isBetween(LEASE.minusSeconds(2), LEASE.plusSeconds(5));
    }

    @Test
    void aFailOverThatLosesTheAcquisitionLetsAnotherIn() {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        mine.failOver(1);
        assertThat(other.lock("a").tryAcquire()).isPresent();
        clock.advance(LEASE);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void anAsynchronousAcquisitionEndsOnTheCallersThread() {
        DistributedLock lock = mine.lock("a");
        CompletableFuture<?> future = lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
        assertThat(future).isCompleted();
    }

    @Test
    void theInspectorSeesWhatIsHeld() {
        Lease lease = mine.lock("a").tryAcquire().orElseThrow();
        assertThat(other.inspector().locks()).hasSize(1);
        assertThat(other.inspector().find("a"))
                .get()
                .extracting(info -> info.name())
                .isEqualTo(lease.name());
        assertThat(other.inspector().diagnose()).isNotEmpty();
    }

    @Test
    void aLatchIsReachedByAllWhenItIsCountedDown() throws InterruptedException {
        DistributedLatch latch = mine.latch("l");
        assertThat(latch.trySet(2, Duration.ofHours(1))).isTrue();
        assertThat(other.latch("l").trySet(2, Duration.ofHours(1))).isFalse();
        CompletableFuture<Boolean> waiting = other.latch("l").awaitAsync().toCompletableFuture();
        mine.dropNextReply();
        assertThat(latch.countDown()).isEqualTo(1);
        assertThat(other.latch("l").await(Duration.ofMinutes(1))).isFalse();
        assertThat(latch.countDown("part")).isZero();
        assertThat(waiting).isCompletedWithValue(true);
        assertThat(latch.await(Duration.ZERO)).isTrue();
        clock.advance(Duration.ofHours(1));
        assertThatThrownBy(latch::count).isInstanceOf(LatchNotSetException.class);
    }

    @Test
    void aLeaderThatIsCutOffIsDemotedAndAnotherFollows() {
        List<String> told = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        Candidacy first = mine.leaderElection("e").stand(listener("mine", told, tokens));
        Candidacy second = other.leaderElection("e").stand(listener("other", told, tokens));
        clock.advance(LEASE.multipliedBy(3));
        assertThat(told).containsExactly("mine elected");
        mine.cutOff(true);
        clock.advance(LEASE.plusSeconds(2));
        assertThat(told).containsExactlyInAnyOrder("mine elected", "mine LOST", "other elected");
        assertThat(first.isLeader()).isFalse();
        mine.cutOff(false);
        clock.advance(LEASE);
        assertThat(second.isLeader()).isTrue();
        second.resign();
        clock.advance(LEASE);
        assertThat(first.isLeader()).isTrue();
        assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSize(3);
        second.close();
        mine.close();
        assertThat(told).endsWith("other RESIGNED", "mine elected", "mine CLOSED");
    }

    private static LeaderListener listener(String name, List<String> told, List<Long> tokens) {
        return new LeaderListener() {
            @Override
            public void onElected(Term term) {
                told.add(name + " elected");
                tokens.add(term.fencingToken());
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                told.add(name + " " + reason);
            }
        };
    }
}
