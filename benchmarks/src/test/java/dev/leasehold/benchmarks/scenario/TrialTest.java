package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialTest {

    @Test
    void takesTurnsAfterARoundThatIsNotMeasured() {
        List<Contestant> order = new ArrayList<>();
        Trial trial = new Trial() {
            @Override
            public String title() {
                return "a trial";
            }

            @Override
            public Round round(Contestant contestant) {
                order.add(contestant);
                return new Round(new Sample(order.size(), 1, 1, 1, new ServerStats(0, 0, Map.of())), Map.of(), "");
            }

            @Override
            public String progress(Round round) {
                return "";
            }

            @Override
            public void close() {}
        };
        Contestant a = Contestant.LEASEHOLD;
        Contestant b = Contestant.REDISSON;
        Map<Contestant, List<Round>> measured = Trial.inTurns(trial, List.of(a, b), 2, line -> {});
        assertThat(order).containsExactly(a, b, a, b, b, a);
        assertThat(measured.get(a)).extracting(round -> round.sample().pairs()).containsExactly(3L, 6L);
        assertThat(measured.get(b)).extracting(round -> round.sample().pairs()).containsExactly(4L, 5L);
    }
}
