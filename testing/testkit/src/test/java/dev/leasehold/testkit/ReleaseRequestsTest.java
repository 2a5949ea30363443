package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to release a hold that changes its lease, with the real scripts, in virtual time. */
class ReleaseRequestsTest {

    private static final Duration AT_ONCE = Duration.ofMillis(50);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();
    private final List<ReleaseRequestedEvent> heard = new ArrayList<>();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    private Lease listening(Lease lease) {
        lease.onReleaseRequested(heard::add);
        return lease;
    }

    private void isRequested(String name) {
        assertThat(other.lock(name).requestRelease()).isTrue();
    }

    private String holdOf(String name) {
        return Objects.requireNonNull(
                own.redis().hash("leasehold:{" + name + "}").get("own"));
    }

    /** Releases a lock for which a caller of the same client waits; returns whether the hold went on. */
    private boolean goesOn(String name, boolean requested) {
        Lease first = own.lock(name).tryAcquire().orElseThrow();
        CompletableFuture<Lease> second = own.lock(name).acquireAsync().toCompletableFuture();
        String hold = holdOf(name);
        if (requested) {
            isRequested(name);
        }
        first.release();
        clock.advance(AT_ONCE);
        assertThat(second).isCompleted();
        return holdOf(name).equals(hold);
    }

    @Test
    void aRequestedHoldIsReleasedWhereItWouldHaveBeenHandedOff() {
        assertThat(goesOn("a", false)).isTrue();
        assertThat(goesOn("b", true)).isFalse();
    }

    @Test
    void aReaderHearsOfTheRequestToTheWriterThatItWas() {
        Lease writer = own.lock("a").tryAcquire().orElseThrow();
        isRequested("a");
        Lease reader = listening(own.readWriteLock("a").downgrade(writer));
        Lease beside =
                listening(other.readWriteLock("a").readLock().tryAcquire().orElseThrow());
        clock.advance(LEASE);
        assertThat(heard)
                .extracting(ReleaseRequestedEvent::owner)
                .containsExactlyInAnyOrder(reader.owner(), beside.owner());
        reader.release();
        beside.release();
        heard.clear();
        Lease next = listening(own.lock("a").tryAcquire().orElseThrow());
        clock.advance(LEASE);
        assertThat(next.isHeld()).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void nobodyHearsOfARequestToAHoldThatItsMinimumKeeps() {
        Duration minimum = Duration.ofSeconds(10);
        LockOptions options = LockOptions.builder().minHold(minimum).build();
        listening(own.lock("a").with(options).tryAcquire().orElseThrow()).release();
        isRequested("a");
        clock.advance(minimum.plusMillis(1));
        assertThat(other.lock("a").requestRelease()).isFalse();
        Lease next = listening(own.lock("a").tryAcquire().orElseThrow());
        clock.advance(LEASE);
        assertThat(next.isHeld()).isTrue();
        assertThat(heard).isEmpty();
    }

    @Test
    void aRequestToAnExportedHoldEndsWhenItIsResumed() {
        Lease exported = listening(own.lock("a").tryAcquire().orElseThrow());
        String string = exported.export();
        exported.close();
        isRequested("a");
        Lease resumed = listening(other.resume(string));
        clock.advance(LEASE);
        assertThat(heard).isEmpty();
        isRequested("a");
        clock.advance(LEASE);
        assertThat(heard).extracting(ReleaseRequestedEvent::fencingToken).containsExactly(resumed.fencingToken());
    }
}
