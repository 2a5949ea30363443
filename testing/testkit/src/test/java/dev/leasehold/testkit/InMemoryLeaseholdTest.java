package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.recipes.Latches;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryLeaseholdTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    @Test
    void twoClientsExcludeEachOther() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
        lease.release();
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLeaseIsRenewedWhileTheClockMoves() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        clock.advance(LEASE.multipliedBy(10));
        assertThat(lease.isHeld()).isTrue();
        assertThat(other.lock("a").tryAcquire()).isEmpty();
    }

    @Test
    void aClientThatIsCutOffLosesItsLeaseAndIsNotified() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        List<Object> received = new ArrayList<>();
        lease.onLost(received::add);
        own.cutOff(true);
        clock.advance(LEASE.plusSeconds(1));
        assertThat(lease.isHeld()).isFalse();
        assertThat(received).hasSize(1);
        assertThat(other.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void aLostReplyIsMadeGoodByASecondRequest() throws InterruptedException {
        own.dropNextReply();
        Lease lease = own.lock("a").tryAcquire(Duration.ofSeconds(5)).orElseThrow();
        assertThat(lease.isHeld()).isTrue();
        assertThat(own.redis().hash("leasehold:{a}").keySet().stream().filter(field -> field.startsWith("h:")))
                .hasSize(1);
    }

    @Test
    void aLostRequestIsSentAgain() throws InterruptedException {
        own.dropNextRequest();
        assertThat(own.lock("a").tryAcquire(Duration.ofSeconds(5))).isPresent();
    }

    @Test
    void aWaitingCallerAdvancesTheClock() throws InterruptedException {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        own.cutOff(true);
        long before = clock.nanoTime();
        Lease next = other.lock("a").tryAcquire(Duration.ofMinutes(1)).orElseThrow();
        assertThat(lease.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(Duration.ofNanos(clock.nanoTime() - before)).isBetween(LEASE.minusSeconds(2), LEASE.plusSeconds(5));
    }

    @Test
    void aFailOverThatLosesTheAcquisitionLetsAnotherIn() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        own.failOver(1);
        assertThat(other.lock("a").tryAcquire()).isPresent();
        clock.advance(LEASE);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void anAsynchronousAcquisitionEndsOnTheCallersThread() {
        DistributedLock lock = own.lock("a");
        CompletableFuture<?> future = lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
        assertThat(future).isCompleted();
    }

    @Test
    void theInspectorSeesWhatIsHeld() {
        Lease lease = own.lock("a").tryAcquire().orElseThrow();
        assertThat(other.inspector().locks()).hasSize(1);
        assertThat(other.lock("a").inspect())
                .get()
                .extracting(info -> info.name())
                .isEqualTo(lease.name());
        assertThat(Diagnostics.of(other).findings()).isNotEmpty();
    }

    @Test
    void aLatchIsReachedByAllWhenItIsCountedDown() throws InterruptedException {
        DistributedLatch latch = Latches.of(own).latch("l");
        assertThat(latch.trySet(2, Duration.ofHours(1))).isTrue();
        assertThat(Latches.of(other).latch("l").trySet(2, Duration.ofHours(1))).isFalse();
        CompletableFuture<Boolean> waiting =
                Latches.of(other).latch("l").awaitAsync().toCompletableFuture();
        own.dropNextReply();
        assertThat(latch.countDown()).isEqualTo(1);
        assertThat(Latches.of(other).latch("l").await(Duration.ofMinutes(1))).isFalse();
        assertThat(latch.countDown("part")).isZero();
        assertThat(waiting).isCompletedWithValue(true);
        assertThat(latch.await(Duration.ZERO)).isTrue();
        clock.advance(Duration.ofHours(1));
        assertThatThrownBy(latch::count).isInstanceOf(LatchNotSetException.class);
    }

    @Test
    void latchesAreListed() {
        Latches latches = Latches.of(own);
        assertThat(latches.find("l")).isEmpty();
        assertThat(latches.latch("l").trySet(2, Duration.ofHours(1))).isTrue();
        assertThat(latches.find("l").orElseThrow().count()).isEqualTo(2);
        assertThat(Latches.of(other).list()).extracting(LatchInfo::name).containsExactly("l");
    }

    @Test
    void aProxyHasThePartsOfItsClient() {
        Leasehold proxy = (Leasehold) Proxy.newProxyInstance(
                Leasehold.class.getClassLoader(),
                new Class<?>[] {Leasehold.class},
                (self, method, arguments) -> method.invoke(own, arguments));
        assertThat(Latches.of(proxy)).isSameAs(Latches.of(own));
        assertThat(Elections.of(proxy)).isSameAs(Elections.of(own));
        assertThatThrownBy(() -> own.unwrap(String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a client has no java.lang.String. Its parts are Latches, Elections, Diagnostics");
    }

    @Test
    void aLeaderThatIsCutOffIsDemotedAndAnotherFollows() {
        List<String> reported = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        Candidacy first = Elections.of(own).election("e").stand(listener("mine", reported, tokens));
        Candidacy second = Elections.of(other).election("e").stand(listener("other", reported, tokens));
        clock.advance(LEASE.multipliedBy(3));
        assertThat(reported).containsExactly("mine elected");
        own.cutOff(true);
        clock.advance(LEASE.plusSeconds(2));
        assertThat(reported).containsExactlyInAnyOrder("mine elected", "mine LOST", "other elected");
        assertThat(first.isLeader()).isFalse();
        own.cutOff(false);
        clock.advance(LEASE);
        assertThat(second.isLeader()).isTrue();
        second.resign();
        clock.advance(LEASE);
        assertThat(first.isLeader()).isTrue();
        assertThat(tokens).isSorted().doesNotHaveDuplicates().hasSize(3);
        second.close();
        own.close();
        assertThat(reported).endsWith("other RESIGNED", "mine elected", "mine CLOSED");
    }

    private static LeaderListener listener(String name, List<String> reported, List<Long> tokens) {
        return new LeaderListener() {
            @Override
            public void onElected(Term term) {
                reported.add(name + " elected");
                tokens.add(term.fencingToken());
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                reported.add(name + " " + reason);
            }
        };
    }
}
