package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportedDeadlocksTest {

    private static final WaitGraph NOTHING = new WaitGraph(List.of(), List.of(), List.of());
    private static final WaitGraph NO_ANSWER = new WaitGraph(List.of(), List.of("2@host"), List.of());

    private final ReportedDeadlocks reported = new ReportedDeadlocks();

    private static LockWait wait(String lock, long thread, long second) {
        LockParty waiter = new LockParty("host", thread, "main", thread, null);
        return new LockWait(lock, WaiterInfo.Wants.LOCK, waiter, Instant.ofEpochSecond(second), List.of(waiter));
    }

    private static WaitGraph cycle(long second, boolean certain) {
        Deadlock deadlock = new Deadlock(List.of(wait("a", 1, second), wait("b", 2, second)), certain, Map.of());
        return new WaitGraph(List.of(), List.of(), List.of(deadlock));
    }

    @Test
    void aDeadlockIsNewOnceHoweverItsTimesAreRead() {
        assertThat(reported.newIn(cycle(1, true))).hasSize(1);
        assertThat(reported.newIn(cycle(2, true))).isEmpty();
    }

    @Test
    void oneThatEndedAndCameBackIsNew() {
        reported.newIn(cycle(1, true));
        reported.newIn(NOTHING);
        assertThat(reported.newIn(cycle(1, true))).hasSize(1);
    }

    @Test
    void oneThatWasNotSeenBecauseAProcessDidNotAnswerIsNotNew() {
        reported.newIn(cycle(1, true));
        assertThat(reported.newIn(NO_ANSWER)).isEmpty();
        assertThat(reported.newIn(cycle(1, true))).isEmpty();
    }

    @Test
    void aPossibleOneIsNotReportedUntilItIsCertain() {
        assertThat(reported.newIn(cycle(1, false))).isEmpty();
        assertThat(reported.newIn(cycle(1, true))).hasSize(1);
    }
}
