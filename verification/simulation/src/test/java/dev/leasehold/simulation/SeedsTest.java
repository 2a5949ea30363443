package dev.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.simulation.mutant.Core;
import dev.leasehold.simulation.mutant.Mutants;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The engine as it is, under a thousand schedules. */
class SeedsTest {

    private static final long SEEDS = 1000;
    private static final long THREADS = 2;

    /** Seeds that once broke a rule, and by which bug. They are run whatever else is. */
    private static final Map<Long, String> REGRESSIONS = Map.of(
            122L, "a copy of a request that was answered OOM was granted, and nobody gave it back",
            133L, "likewise, of a client whose requests overtake each other");

    @Test
    void aThousandSeedsBreakNoRuleAndMeetEveryFaultAndEveryEdge() throws IOException {
        try (Core core = Core.with(Mutants.OBSERVED)) {
            List<String> result = core.campaign().apply(new long[] {1, SEEDS, THREADS});
            System.out.println(result.get(0));
            assertThat(result.subList(1, result.size())).isEmpty();
        }
    }

    @TestFactory
    Stream<DynamicTest> seedsThatOnceBrokeARuleBreakNoneAnyMore() {
        LongFunction<String> runner = new SeedRunner();
        return REGRESSIONS.entrySet().stream()
                .map(seed -> DynamicTest.dynamicTest(
                        seed.getKey() + ": " + seed.getValue(),
                        () -> assertThat(runner.apply(seed.getKey())).isNull()));
    }

    @Test
    void aSeedIsTheSameHistoryEachTime() {
        List<String> first = lines(7);

        assertThat(lines(7)).isEqualTo(first);
    }

    private static List<String> lines(long seed) {
        return Simulation.run(PlanMaker.of(seed)).history().entries().stream()
                .map(Object::toString)
                .toList();
    }
}
