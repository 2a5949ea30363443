package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.OldScriptsSubject;
import dev.leasehold.benchmarks.subject.QuorumSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UncontendedBarsTest {

    @Test
    void comparesTimesWithOneThreadAndRatesWithMany() {
        List<Bar> bars = UncontendedBars.of(
                Map.of(LeaseSubject.NAME, pairs(80), BareScriptsSubject.NAME, pairs(100)),
                Map.of(
                        LeaseSubject.NAME, pairs(90),
                        BareScriptsSubject.NAME, pairs(100),
                        RedissonSubject.NAME, pairs(45)),
                Map.of(BareScriptsSubject.NAME, cost(40), MinimalPairSubject.NAME, cost(10)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.25, 0.9, 2.0, 4.0);
        assertThat(bars).extracting(Bar::reached).containsExactly(false, true, false, true);
    }

    @Test
    void comparesTheServersTimeOfAPairWithThatOfEachOther() {
        List<Bar> bars = UncontendedBars.ofScripts(
                "scripts",
                Map.of(
                        BareScriptsSubject.NAME, cost(30),
                        MinimalPairSubject.NAME, cost(10),
                        RedissonSubject.NAME, cost(24),
                        OldScriptsSubject.NAME, cost(60)));
        assertThat(bars).extracting(Bar::measured).containsExactly(3.0, 1.25, 0.5);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false, true);
        assertThat(UncontendedBars.ofScripts("scripts", Map.of(BareScriptsSubject.NAME, cost(30))))
                .isEmpty();
    }

    @Test
    void comparesTheTimesOfOneKindWithItsOwnFloor() {
        List<Bar> bars = UncontendedBars.floorOf("jedis")
                .bars(Map.of(LeaseSubject.OVER_JEDIS, pairs(80), BareScriptsSubject.NAME, pairs(100)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.25);
        assertThat(bars).extracting(Bar::reached).containsExactly(false);
        assertThat(UncontendedBars.floorOf("jedis").bars(Map.of(LeaseSubject.OVER_JEDIS, pairs(80))))
                .isEmpty();
    }

    @Test
    void comparesTheTimeOfAQuorumWithThatOfOneServer() {
        List<Bar> bars =
                UncontendedBars.QUORUM.bars(Map.of(QuorumSubject.NAME, pairs(25), LeaseSubject.NAME, pairs(100)));
        assertThat(bars).extracting(Bar::measured).containsExactly(4.0);
        assertThat(bars).extracting(Bar::reached).containsExactly(false);
    }

    @Test
    void leavesOutWhatDidNotTakePart() {
        assertThat(UncontendedBars.of(
                        Map.of(LeaseSubject.NAME, pairs(1)), Map.of(LeaseSubject.NAME, pairs(1)), Map.of()))
                .isEmpty();
    }

    private static List<Sample> pairs(long pairs) {
        return List.of(new Sample(pairs, 1_000_000_000, 1, 1, new ServerStats(1, 1, Map.of())));
    }

    /** Returns the cost of two blocks, in the second of which the machine was slow. */
    private static ScriptCost.Cost cost(double pair) {
        Spread half = Spread.of(pair / 2);
        return new ScriptCost.Cost(half, half, List.of(pair, 10 * pair));
    }
}
