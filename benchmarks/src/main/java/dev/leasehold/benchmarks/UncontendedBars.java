package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.OldScriptsSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The targets for Leasehold without contention; each of its kinds that took part is judged by its medians. */
final class UncontendedBars {

    private UncontendedBars() {}

    /** All servers receive an acquire and a release, compared with the one request of a single server. */
    static final Beside QUORUM = new Beside(Scenarios.QUORUM, LeaseSubject.NAME, 3.5, " x one server");

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
            return samples.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith("Leasehold")
                            && !entry.getKey().equals(other))
                    .map(ours -> Bar.atMost(scenario + ", 1 thread: time", most, unit, ratio(others, ours.getValue())))
                    .toList();
        }
    }

    static List<Bar> of(
            Map<String, List<Sample>> one, Map<String, List<Sample>> many, Map<String, ScriptCost.Cost> costs) {
        List<Bar> bars = new ArrayList<>();
        one.forEach((name, samples) -> {
            List<Sample> floor = one.get(BareScriptsSubject.NAME);
            if (name.startsWith("Leasehold") && floor != null) {
                // The ratio of times is the inverse of the ratio of rates.
                bars.add(Bar.atMost(
                        "uncontended, " + name + ", 1 thread: time", 1.1, " x floor", ratio(floor, samples)));
            }
        });
        many.forEach((name, samples) -> {
            if (name.startsWith("Leasehold")) {
                String what = "uncontended, " + name + ", 16 threads: pairs/s";
                atLeast(bars, what, 0.85, " x floor", samples, many.getOrDefault(BareScriptsSubject.NAME, List.of()));
                atLeast(bars, what, 3, " x Redisson", samples, many.getOrDefault(RedissonSubject.NAME, List.of()));
            }
        });
        bars.addAll(ofScripts(Scenarios.UNCONTENDED, costs));
        return bars;
    }

    /** Compares the server's time of Leasehold's own scripts with that of each other pair that took part. */
    static List<Bar> ofScripts(String scenario, Map<String, ScriptCost.Cost> costs) {
        List<Bar> bars = new ArrayList<>();
        atMost(bars, scenario, costs, MinimalPairSubject.NAME, 4.5, " x minimal pair");
        atMost(bars, scenario, costs, RedissonSubject.NAME, 1, " x Redisson");
        atMost(bars, scenario, costs, OldScriptsSubject.NAME, 0.6, " x old scripts");
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
            bars.add(Bar.atMost(
                    scenario + ": server's time of the scripts of a pair",
                    bar,
                    unit,
                    ours.ratio(theirs).median()));
        }
    }

    private static void atLeast(
            List<Bar> bars, String what, double bar, String unit, List<Sample> ours, List<Sample> others) {
        if (!others.isEmpty()) {
            bars.add(Bar.atLeast(what, bar, unit, ratio(ours, others)));
        }
    }

    private static double ratio(List<Sample> above, List<Sample> below) {
        return Spread.ofRatios(above, below, Sample::rate).median();
    }
}
