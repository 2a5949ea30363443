package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Meter;
import dev.leasehold.benchmarks.measure.Sample;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.UncontendedReport;
import dev.leasehold.benchmarks.scenario.Comparison;
import dev.leasehold.benchmarks.scenario.ScriptCost;
import dev.leasehold.benchmarks.scenario.Uncontended;
import dev.leasehold.benchmarks.subject.BareQuorumSubject;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.BatchRenewer;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.LockSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.OldScriptsSubject;
import dev.leasehold.benchmarks.subject.QuorumSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.testkit.EmbeddedRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Acquire and release without contention: one thread on one name, and sixteen on sixteen. */
final class UncontendedRun {

    private static final int THREADS = 16;
    private static final int ROUNDS = 7;
    private static final int QUICK_ROUNDS = 3;
    private static final int SCRIPT_BLOCKS = 20;
    private static final int MANY_SCRIPT_BLOCKS = 100;
    private static final int SCRIPT_NAMES = 500;

    private final Settings settings;
    private final EmbeddedRedis redis;

    UncontendedRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    /**
     * The results: the report, the factor by which the slower Leasehold is faster than Redisson, if both took part,
     * and bars.
     */
    record Outcome(String report, OptionalDouble ratio, List<Bar> bars) {}

    /** Measures one permit of several, compared with its own scripts sent bare. */
    static Outcome ofSemaphore(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis)
                .beside(
                        UncontendedBars.floorOf(Scenarios.SEMAPHORE),
                        "Acquire and release of a permit",
                        List.of(LeaseSubject::semaphore, BareScriptsSubject::semaphore));
    }

    /** Measures Jedis, compared with the same scripts sent bare over a connection of Jedis. */
    static Outcome ofJedis(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis)
                .beside(
                        UncontendedBars.floorOf(Scenarios.JEDIS),
                        "Acquire and release over Jedis",
                        List.of(LeaseSubject::overJedis, BareScriptsSubject::overJedis));
    }

    /** Measures a quorum of five servers, compared with one server, and the same scripts sent bare. */
    static Outcome ofQuorum(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis)
                .beside(
                        UncontendedBars.QUORUM,
                        "Acquire and release over a quorum",
                        List.of(uri -> new QuorumSubject(), LeaseSubject::new, uri -> new BareQuorumSubject()));
    }

    /** Measures what the scripts cost the server, compared with those of others. */
    static Outcome ofScripts(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis).scripts();
    }

    private Outcome scripts() {
        List<Subject> opened = new ArrayList<>();
        try {
            List<Function<String, Subject>> factories =
                    new ArrayList<>(List.of(BareScriptsSubject::new, RedissonSubject::new, MinimalPairSubject::new));
            Path old = settings.old();
            if (old != null) {
                factories.add(uri -> new OldScriptsSubject(uri, old));
            }
            List<Subject> subjects = open(opened, factories);
            List<BatchRenewer> renewers = subjects.stream()
                    .filter(BatchRenewer.class::isInstance)
                    .map(BatchRenewer.class::cast)
                    .toList();
            String loadBefore = Machine.load();
            int blocks = settings.roundsOr(MANY_SCRIPT_BLOCKS, SCRIPT_BLOCKS);
            ScriptCost cost = new ScriptCost(redis, blocks, SCRIPT_NAMES);
            Map<String, ScriptCost.Cost> costs = cost.of(subjects);
            Map<String, ScriptCost.Renewal> renewals = cost.renewals(renewers);
            List<Bar> bars = UncontendedBars.ofScripts(Scenarios.SCRIPTS, costs);
            String rounds = blocks + " measured rounds of " + SCRIPT_NAMES
                    + " names a subject after one that was not measured, for pairs and then for renewals";
            UncontendedReport report = new UncontendedReport("Cost of the scripts", facts(loadBefore, rounds))
                    .scripts(costs)
                    .renewals(renewals);
            return new Outcome(report.bars(bars).toString(), OptionalDouble.empty(), bars);
        } finally {
            opened.forEach(Subject::close);
        }
    }

    private Outcome beside(UncontendedBars.Beside measure, String title, List<Function<String, Subject>> subjects) {
        List<Subject> opened = new ArrayList<>();
        try {
            List<Subject> takingPart = open(opened, subjects);
            int rounds = settings.roundsOr(ROUNDS, QUICK_ROUNDS);
            Duration time = settings.timeOr(Duration.ofSeconds(3), Duration.ofSeconds(1));
            String loadBefore = Machine.load();
            Comparison comparison = new Comparison(takingPart, new Meter(redis), System.err::println);
            Uncontended one = new Uncontended(1);
            Map<String, List<Sample>> samples = comparison.of(one, rounds, time);
            UncontendedReport report =
                    new UncontendedReport(title, facts(loadBefore, rounds, time)).scenario(one.title(), samples);
            List<Bar> bars = measure.bars(samples);
            return new Outcome(report.bars(bars).toString(), OptionalDouble.empty(), bars);
        } finally {
            opened.forEach(Subject::close);
        }
    }

    Outcome run() {
        List<Subject> opened = new ArrayList<>();
        try {
            List<Subject> subjects = open(
                    opened,
                    List.of(LeaseSubject::new, LockSubject::new, RedissonSubject::new, BareScriptsSubject::new));
            int rounds = settings.roundsOr(ROUNDS, QUICK_ROUNDS);
            Duration time = settings.timeOr(Duration.ofSeconds(3), Duration.ofSeconds(1));
            String loadBefore = Machine.load();
            Comparison comparison = new Comparison(subjects, new Meter(redis), System.err::println);
            Uncontended one = new Uncontended(1);
            Uncontended many = new Uncontended(THREADS);
            Map<String, List<Sample>> ofOne = comparison.of(one, rounds, time);
            Map<String, List<Sample>> ofMany = comparison.of(many, rounds, time);
            List<Subject> scripted =
                    open(opened, List.of(BareScriptsSubject::new, RedissonSubject::new, MinimalPairSubject::new));
            Map<String, ScriptCost.Cost> costs = new ScriptCost(redis, SCRIPT_BLOCKS, SCRIPT_NAMES).of(scripted);
            UncontendedReport report = new UncontendedReport(
                            "Uncontended acquire and release", facts(loadBefore, rounds, time))
                    .scenario(one.title(), ofOne)
                    .scenario(many.title(), ofMany)
                    .scripts(costs);
            List<Bar> bars = UncontendedBars.of(ofOne, ofMany, costs);
            return new Outcome(report.bars(bars).toString(), ratio(ofMany), bars);
        } finally {
            opened.forEach(Subject::close);
        }
    }

    private List<Subject> open(List<Subject> opened, List<Function<String, Subject>> factories) {
        List<Subject> wanted = new ArrayList<>();
        for (Function<String, Subject> factory : factories) {
            Subject subject = factory.apply(redis.uri());
            opened.add(subject);
            if (subject.name().contains(settings.only())) {
                wanted.add(subject);
            }
        }
        return wanted;
    }

    private List<String> facts(String loadBefore, int rounds, Duration time) {
        return facts(
                loadBefore,
                rounds + " measured rounds of " + Facts.seconds(time) + " a subject after one that was not measured");
    }

    private List<String> facts(String loadBefore, String rounds) {
        return List.of(
                Facts.dateAndCommit(),
                Machine.describe(redis),
                "load average of the machine: " + loadBefore + " before, " + Machine.load()
                        + " after (this run included)",
                rounds);
    }

    private static OptionalDouble ratio(Map<String, List<Sample>> samples) {
        List<Sample> redisson = samples.getOrDefault(RedissonSubject.NAME, List.of());
        return samples.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("Leasehold") && !redisson.isEmpty())
                .mapToDouble(entry -> Spread.ofRatios(entry.getValue(), redisson, Sample::rate)
                        .median())
                .min();
    }
}
