package dev.leasehold.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ReleasedEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an application that shuts down waits for. */
class HeldLeasesTest {

    private final HeldLeases held = new HeldLeases();

    private static AcquiredEvent acquired(String lock, boolean leader) {
        return new AcquiredEvent(lock, "owner of " + lock, 1, Duration.ZERO, 1, false, leader);
    }

    private static ReleasedEvent released(String lock) {
        return new ReleasedEvent(lock, "owner of " + lock, Duration.ofSeconds(1), true);
    }

    @Test
    void nobodyWaitsForALeaderWhoLeadsUntilItsClientIsClosed() throws InterruptedException {
        held.acquired(acquired("leader", true));
        assertThat(held.number()).isEqualTo(1);
        assertThat(held.awaitNone(Duration.ZERO)).isTrue();
        held.acquired(acquired("work", false));
        assertThat(held.awaitNone(Duration.ZERO)).isFalse();
        held.released(released("work"));
        assertThat(held.awaitNone(Duration.ZERO)).isTrue();
        held.released(released("leader"));
        assertThat(held.number()).isZero();
    }

    /** An end may be delivered before its start. */
    @Test
    void aTermThatEndedBeforeItWasReportedLeavesNothing() throws InterruptedException {
        held.released(released("leader"));
        held.acquired(acquired("leader", true));
        held.acquired(acquired("leader", false));
        assertThat(held.awaitNone(Duration.ZERO)).isFalse();
    }
}
