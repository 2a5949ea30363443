package dev.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulation.mutant.Core;
import dev.leasehold.simulation.mutant.Edit;
import dev.leasehold.simulation.mutant.Mutant;
import dev.leasehold.simulation.mutant.Mutants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans that search. */
class SearchTest {

    private static final long FIRST = 1_000_001;
    private static final int RUNS = 10;

    @Test
    void anEdgeMeetsTheFaultsThatAreFeltWhenItIsTaken() {
        PairsMet met = new PairsMet();
        met.taken(3, 0);
        met.struck(new Fault(FaultKind.BUSY, 10 * PlanMaker.SECOND, PlanMaker.SECOND, -1, 0, 100));
        met.taken(5, 12 * PlanMaker.SECOND);
        met.struck(new Fault(FaultKind.EVICTION, 14 * PlanMaker.SECOND, 0, -1, 0, 100));
        met.taken(7, 14 * PlanMaker.SECOND);

        assertThat(met.pairs())
                .containsExactlyInAnyOrder(
                        new PairsMet.Pair(5, FaultKind.BUSY), new PairsMet.Pair(7, FaultKind.EVICTION));
        assertThat(met.moments()).contains(new PairsMet.Taken(7, 14 * PlanMaker.SECOND));
    }

    @Tag("long")
    @Test
    void aSearchBreaksNoRule() throws IOException {
        assertThat(runs(List.of(), RUNS)).as("all runs, and none broke a rule").isEqualTo(RUNS + 1L);
    }

    @Tag("long")
    @Test
    void aSearchStopsAtARunThatBreaksARule() throws IOException {
        Mutant mutant = Mutants.all().stream()
                .filter(one -> one.name().equals("no allowance for drift"))
                .findFirst()
                .orElseThrow();

        long runs = runs(mutant.edits(), RUNS);

        assertThat(runs).isLessThanOrEqualTo(RUNS);
        assertThat(runs(mutant.edits(), RUNS)).as("the same arguments").isEqualTo(runs);
    }

    private static long runs(List<Edit> edits, int most) throws IOException {
        List<Edit> observed = new ArrayList<>(edits);
        observed.addAll(Mutants.OBSERVED);
        try (Core core = Core.with(observed)) {
            ToLongFunction<long[]> search = core.searches();
            return search.applyAsLong(new long[] {FIRST, most, 1});
        }
    }
}
