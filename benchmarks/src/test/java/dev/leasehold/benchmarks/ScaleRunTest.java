package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Step;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.Scale;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleRunTest {

    @Test
    void judgesEachSituationOverAllItsCalls() {
        List<Bar> bars = ScaleRun.bars(List.of(
                step("readers", 1000, slow(1, 1500)),
                step("permits", 1000, List.of()),
                // Two of 2,000 readers are one of 1,000.
                step("readers", 1000, slow(1, 1500))));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        assertThat(bars).allMatch(Bar::reached);
    }

    @Test
    void missesABarByOneCall() {
        assertThat(ScaleRun.bars(List.of(step("readers", 1000, slow(2, 1500)))))
                .extracting(Bar::reached)
                .containsExactly(false, true, true);
        assertThat(ScaleRun.bars(List.of(step("readers", 1000, slow(1, 5001)))))
                .extracting(Bar::reached)
                .containsExactly(true, false, true);
        assertThat(ScaleRun.bars(List.of(new Step("readers", "renew", 1000, 1, List.of(), 1))))
                .extracting(Bar::reached)
                .containsExactly(true, true, false);
    }

    @Test
    void leavesOutTheTimeInWhichAnotherProcessHadTheCore() {
        Step.Slow preempted = new Step.Slow("renew", 9000, 90);
        assertThat(ScaleRun.bars(List.of(step("readers", 10, List.of(preempted)))))
                .allMatch(Bar::reached);
    }

    @Test
    void doesNotJudgeTheMachine() {
        assertThat(ScaleRun.bars(List.of(step(Scale.MACHINE, 1, slow(1, 9000)))))
                .isEmpty();
    }

    private static Step step(String part, long calls, List<Step.Slow> slow) {
        return new Step(part, "renew", calls, 1, slow, 0);
    }

    private static List<Step.Slow> slow(int calls, long cpuMicros) {
        return Collections.nCopies(calls, new Step.Slow("renew", cpuMicros, cpuMicros));
    }
}
