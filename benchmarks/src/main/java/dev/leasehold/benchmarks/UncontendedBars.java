package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.JedisSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The targets for Leasehold without contention; each of its kinds that took part is judged by its medians. */
final class UncontendedBars {

    /** All servers receive an acquire and a release, compared with the one request of a single server. */
    static final Beside QUORUM = new Beside(Scenarios.QUORUM, LeaseSubject.NAME, 3.5, " x one server");

    private final String scenario;
    private final Map<String, List<Sample>> samples;
    private final List<Bar> bars = new ArrayList<>();

    private UncontendedBars(String scenario, Map<String, List<Sample>> samples) {
        this.scenario = scenario;
        this.samples = samples;
    }

    /** Compares one kind with one thread with its own scripts sent bare over the same client. */
    static Beside floorOf(String scenario) {
        return new Beside(scenario, BareScriptsSubject.NAME, 1.15, " x floor");
    }

    /**
     * The longest time that a pair of one kind with one thread may take, relative to a pair of another.
     *
     * @param scenario the name for the table
     * @param other the name of the other kind
     * @param most the greatest factor
     * @param unit the name of the factor
     */
    record Beside(String scenario, String other, double most, String unit) {

        List<Bar> bars(Map<String, List<Sample>> samples) {
            List<Sample> others = samples.get(other);
            if (others == null) {
                return List.of();
            }
            // The ratio of times is the inverse of the ratio of rates.
            return samples.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith("Leasehold")
                            && !entry.getKey().equals(other))
                    .map(ours -> Bar.atMost(
                            scenario + ", " + ours.getKey() + ", 1 thread: time",
                            most,
                            unit,
                            Spread.ofRatios(others, ours.getValue(), Sample::rate)))
                    .toList();
        }
    }

    /** Returns the bars of {@code jedis}. */
    static List<Bar> ofJedis(Map<String, List<Sample>> samples) {
        UncontendedBars bars = new UncontendedBars(Scenarios.JEDIS, samples);
        bars.bars.addAll(floorOf(Scenarios.JEDIS).bars(samples));
        String ours = LeaseSubject.OVER_JEDIS;
        bars.atLeast(ours, "1 thread: pairs/s", 1.15, RedissonSubject.NAME, Sample::rate);
        bars.atLeast(ours, "1 thread: pairs/s", 0.85, JedisSubject.BARE, Sample::rate);
        return bars.bars;
    }

    /** Returns the bars of {@code uncontended}: of 1 thread, of 16, of 64, and of the scripts. */
    static List<Bar> of(
            Map<String, List<Sample>> one,
            Map<String, List<Sample>> many,
            Map<String, List<Sample>> crowd,
            Map<String, ScriptCost.Cost> costs) {
        List<Bar> all = new ArrayList<>(
                new Beside(Scenarios.UNCONTENDED, BareScriptsSubject.NAME, 1.1, " x floor").bars(overLettuce(one)));
        UncontendedBars alone = new UncontendedBars(Scenarios.UNCONTENDED, one);
        overLettuce(one).keySet().stream()
                .filter(UncontendedBars::isOurs)
                .forEach(ours -> alone.atLeast(ours, "1 thread: pairs/s", 1, RedissonSubject.NAME, Sample::rate));
        all.addAll(alone.bars);
        UncontendedBars sixteen = new UncontendedBars(Scenarios.UNCONTENDED, many);
        overLettuce(many).keySet().stream().filter(UncontendedBars::isOurs).forEach(ours -> {
            sixteen.atLeast(ours, "16 threads: pairs/s", 1.3, BareScriptsSubject.NAME, Sample::rate);
            sixteen.atLeast(ours, "16 threads: pairs/s", 3, RedissonSubject.NAME, Sample::rate);
        });
        sixteen.atMost(LeaseSubject.NAME, "16 threads: p99", 1.1, BareScriptsSubject.NAME, Sample::p99Micros);
        all.addAll(sixteen.bars);
        UncontendedBars sixtyFour = new UncontendedBars(Scenarios.UNCONTENDED, crowd);
        overLettuce(crowd).keySet().stream()
                .filter(UncontendedBars::isOurs)
                .forEach(ours -> sixtyFour.atLeast(ours, "64 threads: pairs/s", 4, RedissonSubject.NAME, Sample::rate));
        all.addAll(sixtyFour.bars);
        all.addAll(ofScripts(Scenarios.UNCONTENDED, costs));
        return all;
    }

    /** The floor is sent over Lettuce, and a client over Jedis is judged in {@code jedis}. */
    private static Map<String, List<Sample>> overLettuce(Map<String, List<Sample>> samples) {
        Map<String, List<Sample>> left = new LinkedHashMap<>(samples);
        left.remove(LeaseSubject.OVER_JEDIS);
        return left;
    }

    private static boolean isOurs(String name) {
        return name.startsWith("Leasehold");
    }

    /** Compares the server's time of Leasehold's own scripts with that of each other pair that took part. */
    static List<Bar> ofScripts(String scenario, Map<String, ScriptCost.Cost> costs) {
        List<Bar> bars = new ArrayList<>();
        atMost(bars, scenario, costs, MinimalPairSubject.NAME, 4.5, " x minimal pair");
        atMost(bars, scenario, costs, RedissonSubject.NAME, 1, " x Redisson");
        return bars;
    }

    private static void atMost(
            List<Bar> bars,
            String scenario,
            Map<String, ScriptCost.Cost> costs,
            String other,
            double bar,
            String unit) {
        ScriptCost.Cost ours = costs.get(BareScriptsSubject.NAME);
        ScriptCost.Cost theirs = costs.get(other);
        if (ours != null && theirs != null) {
            bars.add(Bar.atMost(scenario + ": server's time of the scripts of a pair", bar, unit, ours.ratio(theirs)));
        }
    }

    private void atLeast(String name, String what, double bar, String other, ToDoubleFunction<Sample> value) {
        List<Sample> ours = samples.get(name);
        List<Sample> others = samples.get(other);
        if (ours != null && others != null) {
            bars.add(Bar.atLeast(measure(name, what), bar, " x " + other, Spread.ofRatios(ours, others, value)));
        }
    }

    private void atMost(String name, String what, double bar, String other, ToDoubleFunction<Sample> value) {
        List<Sample> ours = samples.get(name);
        List<Sample> others = samples.get(other);
        if (ours != null && others != null) {
            bars.add(Bar.atMost(measure(name, what), bar, " x " + other, Spread.ofRatios(ours, others, value)));
        }
    }

    private String measure(String name, String what) {
        return scenario + ", " + name + ", " + what;
    }
}
