package dev.leasehold.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {

    private static final Step.Slow PREEMPTED = new Step.Slow("renew", 9000, 90);
    private static final Step.Slow SLOW = new Step.Slow("renew_many", 6000, 5500);

    @Test
    void countsCallsAboveALimitByBothTimes() {
        Step step = new Step("readers", "renew", 100, 20_000, List.of(PREEMPTED, SLOW), 0);
        assertThat(step.each()).isEqualTo(200);
        assertThat(step.above(Step.TOO_SLOW_MICROS)).isEqualTo(2);
        assertThat(step.aboveOnCore(Step.TOO_SLOW_MICROS)).isEqualTo(1);
        assertThat(step.aboveOnCore(5500)).isZero();
        assertThat(step.longest()).contains(SLOW);
        assertThat(step.longestMicros()).isEqualTo(9000);
    }

    @Test
    void addsUpRounds() {
        Step first = new Step("readers", "renew", 100, 20_000, List.of(PREEMPTED), 1);
        Step second = new Step("readers", "renew", 300, 20_000, List.of(SLOW), 2);
        assertThat(first.plus(second))
                .isEqualTo(new Step("readers", "renew", 400, 40_000, List.of(PREEMPTED, SLOW), 3));
    }

    @Test
    void hasNoMeanWithoutCalls() {
        assertThat(new Step("readers", "renew", 0, 0, List.of(), 0).each()).isNaN();
    }

    @Test
    void readsTheTimeOnACoreFromTheSchedulersCounters() {
        assertThat(CpuTime.parse("1234567 89 10\n")).isEqualTo(1_234_567);
    }
}
