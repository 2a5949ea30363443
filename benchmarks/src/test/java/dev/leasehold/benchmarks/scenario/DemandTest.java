package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.subject.Contestant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class DemandTest {

    @ParameterizedTest
    @EnumSource(value = Contestant.class, names = "LEASEHOLD.*", mode = Mode.MATCH_ALL)
    void failsTheRunIfLeaseholdLosesAWaiter(Contestant ours) {
        assertThatThrownBy(() -> Demand.ofLeasehold(ours, false, "only 999 of 1000 waiters were served"))
                .isInstanceOf(IncorrectException.class)
                .hasMessage(ours.title() + ": only 999 of 1000 waiters were served");
        assertThatCode(() -> Demand.ofLeasehold(ours, true, "")).doesNotThrowAnyException();
    }

    @Test
    void onlyReportsAFailureOfAPeer() {
        assertThatCode(() -> Demand.ofLeasehold(Contestant.REDISSON, false, "only 250 of 1000 waiters were served"))
                .doesNotThrowAnyException();
    }
}
