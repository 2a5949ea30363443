package dev.leasehold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrialReportTest {

    private final Map<Contestant, List<Round>> measured = new EnumMap<>(Contestant.class);

    @Test
    void reportsMediansAndRatiosOfPairedRounds() {
        // The second round was a slow one for both.
        measured.put(Contestant.LEASEHOLD, List.of(round(300, 1), round(30, 2), round(320, 3)));
        measured.put(Contestant.REDISSON, List.of(round(100, 4), round(10, 5), round(80, 6)));
        String report = report(List.of(
                Column.spread("pairs/s", Round::rate),
                Column.ratio("x Redisson", Contestant.REDISSON, Round::rate),
                Column.ratio("x nobody", Contestant.JDK, Round::rate),
                Column.median("wait", round -> round.figure(Figure.LONGEST_WAIT_MILLIS)),
                Column.median("gap", round -> round.figure(Figure.GAP_MICROS))));
        assertThat(report)
                .contains("| Leasehold acquire/close |  300 (30.0 to 320) |       3.00 |        - | 2.00 |   - |")
                .contains("| Redisson RLock          | 80.0 (10.0 to 100) |")
                .contains("- a fact\n");
    }

    @Test
    void countsCommandsByWhatWasDone() {
        measured.put(Contestant.LEASEHOLD, List.of(round(100, 1)));
        assertThat(report(List.of())).contains("per pair").contains("- Leasehold acquire/close: evalsha 2.00\n");
    }

    @Test
    void reportsTheFirstErrorOfAContestant() {
        Round bad = new Round(round(1, 1).sample(), Map.of(), "timed out `here`");
        measured.put(Contestant.REDISSON, List.of(round(1, 1), bad, bad));
        assertThat(report(List.of())).contains("- Redisson RLock, the first: `timed out 'here'`\n");
    }

    @Test
    void judgesBars() {
        assertThat(Bar.atLeast("speed", 30, " x Redisson", 29.9).reached()).isFalse();
        assertThat(Bar.atLeast("speed", 30, " x Redisson", 30).reached()).isTrue();
        assertThat(Bar.atMost("time", 0.3, " s", 0.3).reached()).isTrue();
        assertThat(Bar.atMost("time", 0.3, " s", Double.POSITIVE_INFINITY).reached())
                .isFalse();
        assertThat(Bar.atMost("time", 0.3, " s", Double.NaN).reached()).isFalse();
        assertThat(Bar.table(List.of(Bar.atMost("time", 0.3, " s", 0.5))))
                .contains("| time    | at most 0.3 s |     0.50 |  **no** |");
        assertThat(Bar.table(List.of(Bar.atLeast("speed", 2, " x", new Spread(3, 1, 4)))))
                .contains("| speed   | at least 2 x | 3.00 (1.00 to 4.00) |     yes |");
    }

    private String report(List<Column> columns) {
        return new TrialReport("a title", List.of("a fact"), columns).of(measured, "pair", List.of());
    }

    private static Round round(long pairs, double wait) {
        ServerStats server = new ServerStats(0, 0, Map.of("evalsha", new ServerStats.Cost(2 * pairs, 1)));
        return new Round(new Sample(pairs, 1_000_000_000, 1, 1, server), Map.of(Figure.LONGEST_WAIT_MILLIS, wait), "");
    }
}
