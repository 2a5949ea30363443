package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Figure;
import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.subject.Contestant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BarsTest {

    @Test
    void comparesWithTheRightPeer() {
        List<Bar> bars = Bars.of(
                Situation.FOUR_JVMS,
                Map.of(
                        Contestant.LEASEHOLD, List.of(round(3000, Map.of(Figure.SLOWEST_TO_FASTEST, 0.4))),
                        Contestant.REDISSON, List.of(round(100, Map.of())),
                        Contestant.JEDIS, List.of(round(2000, Map.of()))));
        assertThat(bars).extracting(Bar::measured).containsExactly(30.0, 1.5, 0.4);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false, false);
    }

    @ParameterizedTest
    @CsvSource({"READ_WRITE_0, 20", "READ_WRITE_10, 10", "READ_WRITE_50, 10", "READ_WRITE_FOUR_JVMS, 5"})
    void comparesReadWriteLocksWithEachOther(Situation situation, int times) {
        Map<Contestant, List<Round>> measured = Map.of(
                Contestant.LEASEHOLD_READ_WRITE, List.of(round(100L * times - 1, Map.of())),
                Contestant.REDISSON_READ_WRITE, List.of(round(100, Map.of())));
        assertThat(Bars.of(situation, measured)).hasSize(1).allSatisfy(bar -> {
            assertThat(bar.measured()).isBetween(0.98 * times, (double) times);
            assertThat(bar.reached()).isFalse();
        });
    }

    @Test
    void comparesARetainedLockWithAnOrdinaryHandOff() {
        Round ours = round(1_000_000, Map.of(Figure.COMMANDS_PER_SECOND, 6.0, Figure.TAKE_MICROS, 300.0));
        Round ordinary = round(1, Map.of(Figure.GAP_MICROS, 200.0, Figure.TAKE_MICROS, 1.0));
        List<Bar> bars = Bars.of(
                Situation.RETAINED,
                Map.of(Contestant.LEASEHOLD_RETAINED, List.of(ours), Contestant.LEASEHOLD, List.of(ordinary)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1_000_000.0, 6.0, 1.5);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false, true);
    }

    @Test
    void allowsThreeScriptsAndFourRoundTripsForAHandOff() {
        Round round = round(1, Map.of(Figure.SCRIPTS_PER_HAND_OFF, 3.0, Figure.GAP_ROUND_TRIPS, 4.1));
        assertThat(Bars.of(Situation.HAND_OFF, Map.of(Contestant.LEASEHOLD, List.of(round))))
                .extracting(Bar::reached)
                .containsExactly(true, false);
    }

    @Test
    void reportsTheRangeOfTheRounds() {
        List<Round> ours = List.of(round(40, Map.of()), round(20, Map.of()), round(90, Map.of()));
        List<Round> theirs = List.of(round(1, Map.of()), round(1, Map.of()), round(1, Map.of()));
        assertThat(Bars.of(Situation.ONE_JVM, Map.of(Contestant.LEASEHOLD, ours, Contestant.REDISSON, theirs)))
                .extracting(Bar::rounds)
                .containsExactly(new Spread(40, 20, 90));
    }

    @Test
    void leavesOutWhatNeedsAPeerThatDidNotTakePart() {
        assertThat(Bars.of(Situation.ONE_JVM, Map.of(Contestant.LEASEHOLD, List.of(round(1, Map.of())))))
                .isEmpty();
    }

    @Test
    void judgesEachKindOfLeasehold() {
        Map<Contestant, List<Round>> measured = Map.of(
                Contestant.LEASEHOLD, List.of(round(60, Map.of())),
                Contestant.LEASEHOLD_LOCK, List.of(round(20, Map.of())),
                Contestant.JDK, List.of(round(100, Map.of())));
        assertThat(Bars.of(Situation.ONE_JVM, measured))
                .extracting(Bar::reached)
                .containsExactlyInAnyOrder(true, false);
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    void getsItsFiguresFromEverySituation(Situation situation) {
        // A figure that the situation does not have would be NaN, and never reach a bar.
        Map<Figure, Double> all = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            all.put(figure, 1.0);
        }
        List<Contestant> contestants = situation.contestants("");
        assertThat(contestants).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(1);
        Map<Contestant, List<Round>> measured = new EnumMap<>(Contestant.class);
        contestants.forEach(contestant -> measured.put(contestant, List.of(round(1, all))));
        assertThat(Bars.of(situation, measured)).extracting(Bar::measured).doesNotContain(Double.NaN);
        assertThat(situation.columns()).isNotEmpty();
        assertThat(situation.explanation()).isNotBlank();
        assertThat(Scenarios.named(situation.word())).containsExactly(situation.word());
    }

    private static Round round(long pairs, Map<Figure, Double> figures) {
        return new Round(new Sample(pairs, 1_000_000_000, 1, 1, new ServerStats(1, 1, Map.of())), figures, "");
    }
}
