package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
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
}
