package dev.leasehold.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.JedisSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.LockSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.QuorumSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UncontendedBarsTest {

    @Test
    void comparesTimesAndRatesWithOneThread() {
        List<Bar> bars = UncontendedBars.of(
                Map.of(
                        LeaseSubject.NAME, pairs(80),
                        LeaseSubject.OVER_JEDIS, pairs(1),
                        BareScriptsSubject.NAME, pairs(100),
                        RedissonSubject.NAME, pairs(90)),
                Map.of(),
                Map.of(),
                Map.of(BareScriptsSubject.NAME, cost(40), MinimalPairSubject.NAME, cost(10)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.25, 80.0 / 90, 4.0);
        assertThat(bars).extracting(Bar::reached).containsExactly(false, false, true);
    }

    @Test
    void comparesRatesAndTheLongestTimesWithManyThreads() {
        List<Bar> bars = UncontendedBars.of(
                Map.of(),
                Map.of(
                        LeaseSubject.NAME, timed(150, 3),
                        BareScriptsSubject.NAME, timed(100, 1),
                        RedissonSubject.NAME, timed(60, 1)),
                Map.of(LeaseSubject.NAME, pairs(80), RedissonSubject.NAME, pairs(20)),
                Map.of());
        assertThat(bars).extracting(Bar::measured).containsExactly(1.5, 2.5, 3.0, 4.0);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false, false, true);
    }

    @Test
    void comparesTheServersTimeOfAPairWithThatOfEachOther() {
        List<Bar> bars = UncontendedBars.ofScripts(
                "scripts",
                Map.of(
                        BareScriptsSubject.NAME, cost(30),
                        MinimalPairSubject.NAME, cost(10),
                        RedissonSubject.NAME, cost(24)));
        assertThat(bars).extracting(Bar::measured).containsExactly(3.0, 1.25);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false);
        assertThat(UncontendedBars.ofScripts("scripts", Map.of(BareScriptsSubject.NAME, cost(30))))
                .isEmpty();
    }

    @Test
    void comparesTheTimesOfOneKindWithItsOwnFloor() {
        List<Bar> bars = UncontendedBars.floorOf("semaphore")
                .bars(Map.of(LeaseSubject.SEMAPHORE, pairs(80), BareScriptsSubject.NAME, pairs(100)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.25);
        assertThat(bars).extracting(Bar::reached).containsExactly(false);
        assertThat(UncontendedBars.floorOf("semaphore").bars(Map.of(LeaseSubject.SEMAPHORE, pairs(80))))
                .isEmpty();
    }

    @Test
    void comparesJedisWithEachOther() {
        List<Bar> bars = UncontendedBars.ofJedis(Map.of(
                LeaseSubject.OVER_JEDIS, pairs(90),
                BareScriptsSubject.NAME, pairs(99),
                RedissonSubject.NAME, pairs(80),
                JedisSubject.BARE, pairs(100)));
        assertThat(bars).extracting(Bar::measured).containsExactly(1.1, 1.125, 0.9);
        assertThat(bars).extracting(Bar::reached).containsExactly(true, false, true);
    }

    @Test
    void reportsTheRangeOfTheRounds() {
        List<Sample> ours =
                List.of(pairs(20).get(0), pairs(10).get(0), pairs(30).get(0));
        List<Sample> theirs =
                List.of(pairs(10).get(0), pairs(10).get(0), pairs(10).get(0));
        List<Bar> bars = UncontendedBars.ofJedis(Map.of(LeaseSubject.OVER_JEDIS, ours, RedissonSubject.NAME, theirs));
        assertThat(bars.get(0).rounds()).isEqualTo(new Spread(2, 1, 3));
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
                        Map.of(LockSubject.NAME, pairs(1)),
                        Map.of(LeaseSubject.NAME, pairs(1)),
                        Map.of(LeaseSubject.NAME, pairs(1)),
                        Map.of()))
                .isEmpty();
    }

    private static List<Sample> pairs(long pairs) {
        return List.of(new Sample(pairs, 1_000_000_000, 1, 1, new ServerStats(1, 1, Map.of())));
    }

    private static List<Sample> timed(long pairs, double p99) {
        return List.of(new Sample(pairs, 1_000_000_000, 1, 1, new ServerStats(1, 1, Map.of()), p99));
    }

    /** Returns the cost of two blocks, in the second of which the machine was slow. */
    private static ScriptCost.Cost cost(double pair) {
        Spread half = Spread.of(pair / 2);
        return new ScriptCost.Cost(half, half, List.of(pair, 10 * pair));
    }
}
