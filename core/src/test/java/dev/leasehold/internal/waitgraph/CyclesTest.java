package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.LockKind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cycles in graphs of which each wait is written as {@code who lock holder holder ...}. */
class CyclesTest {

    private static final String PROCESS = "17@host";

    private static Contender thread(long id, String lock, boolean waits) {
        LeaseEntry entry = new LeaseEntry(
                waits,
                "l" + id + lock,
                "h" + lock,
                lock,
                LockKind.STANDARD,
                WaiterInfo.Wants.LOCK,
                1,
                id,
                "t" + id,
                "");
        return new Contender(PROCESS, true, entry, "report");
    }

    private static Wait wait(String text) {
        return wait(text, false);
    }

    private static Wait wait(String text, boolean permits) {
        String[] words = text.split(" ", -1);
        List<Contender> holders = Arrays.stream(words)
                .skip(2)
                .map(holder -> thread(Long.parseLong(holder), words[1], false))
                .toList();
        return new Wait(thread(Long.parseLong(words[0]), words[1], true), holders, permits);
    }

    private static List<List<Long>> cycles(Wait... waits) {
        return new Cycles(List.of(waits))
                .find().stream()
                        .map(cycle -> cycle.waits().stream()
                                .map(wait -> wait.waiter().entry().threadId())
                                .toList())
                        .toList();
    }

    @Test
    void aGraphWithoutACycleHasNone() {
        assertThat(cycles()).isEmpty();
        assertThat(cycles(wait("1 a 2"), wait("2 b 3"), wait("4 a 2"), wait("5 c 4")))
                .isEmpty();
    }

    @Test
    void oneThatWaitsForItselfIsACycle() {
        assertThat(cycles(wait("1 a 1"))).containsExactly(List.of(1L));
    }

    @Test
    void aCycleIsFoundAmongThoseThatMerelyWaitForIt() {
        assertThat(cycles(wait("9 a 1"), wait("1 b 2"), wait("8 c 9"), wait("2 c 3"), wait("3 a 1")))
                .containsExactly(List.of(1L, 2L, 3L));
    }

    @Test
    void ofCyclesWithACommonWaitTheShortestIsFound() {
        assertThat(cycles(wait("1 a 2 3"), wait("2 b 4"), wait("4 c 1"), wait("3 d 1")))
                .containsExactly(List.of(1L, 3L));
    }

    @Test
    void separateCyclesAreFoundEach() {
        assertThat(cycles(wait("1 a 2"), wait("2 b 1"), wait("3 c 4"), wait("4 d 3")))
                .containsExactly(List.of(1L, 2L), List.of(3L, 4L));
    }

    /** Another holder of permits may leave, too. */
    @Test
    void aWaitForPermitsMakesACycleOnlyPossible() {
        List<Cycles.Cycle> found = new Cycles(List.of(wait("1 a 2", true), wait("2 b 1"), wait("3 c 3"))).find();
        assertThat(found).extracting(Cycles.Cycle::certain).containsExactly(true, false);
        assertThat(found.get(1).waits()).hasSize(2);
    }
}
