package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
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
        ScriptCost.Cost ours = costs.get(BareScriptsSubject.NAME);
        ScriptCost.Cost least = costs.get(MinimalPairSubject.NAME);
        if (ours != null && least != null) {
            double ratio = ours.pair().median() / least.pair().median();
            bars.add(Bar.atMost("uncontended, scripts: server's time", 4.5, " x minimal pair", ratio));
        }
        return bars;
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
