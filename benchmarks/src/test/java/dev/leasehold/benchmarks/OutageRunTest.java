package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ClusterOutage.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageRunTest {

    @Test
    void oneLossOfManyRoundsIsOneTooMany() {
        Result sound = new Result(40, 0, 20, 20, 29.9, "");
        Result lost = new Result(40, 1, 20, 19, 29.9, "");
        assertThat(OutageRun.bars(List.of(sound, sound)))
                .extracting(Bar::reached)
                .containsExactly(true, true);
        assertThat(OutageRun.bars(List.of(sound, sound, lost)))
                .extracting(Bar::reached)
                .containsExactly(false, false);
        assertThat(OutageRun.bars(List.of())).isEmpty();
    }
}
