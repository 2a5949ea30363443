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
import dev.leasehold.benchmarks.subject.JedisSubject;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.LockSubject;
import dev.leasehold.benchmarks.subject.MinimalPairSubject;
import dev.leasehold.benchmarks.subject.QuorumSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import dev.leasehold.benchmarks.subject.ShedLockSubject;
import dev.leasehold.benchmarks.subject.SpringSubject;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Acquire and release without contention: one thread on one name, 16 on 16, and 64 on 64. */
final class UncontendedRun {

    private static final int MANY = 16;
    private static final int CROWD = 64;
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
                        UncontendedBars.floorOf(Scenarios.SEMAPHORE)::bars,
                        "Acquire and release of a permit",
                        List.of(LeaseSubject::semaphore, BareScriptsSubject::semaphore));
    }

    /** Measures Jedis, compared with Redisson, a bare pair and the same scripts sent bare over Jedis. */
    static Outcome ofJedis(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis)
                .beside(
                        UncontendedBars::ofJedis,
                        "Acquire and release over Jedis",
                        List.of(
                                LeaseSubject::overJedis,
                                RedissonSubject::new,
                                JedisSubject::bare,
                                BareScriptsSubject::overJedis));
    }

    /** Measures a quorum of five servers, compared with one server, and the same scripts sent bare. */
    static Outcome ofQuorum(Settings settings, EmbeddedRedis redis) {
        return new UncontendedRun(settings, redis)
                .beside(
                        UncontendedBars.QUORUM::bars,
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
            List<Subject> subjects =
                    open(opened, List.of(BareScriptsSubject::new, RedissonSubject::new, MinimalPairSubject::new));
            List<BareScriptsSubject> renewers = subjects.stream()
                    .filter(BareScriptsSubject.class::isInstance)
                    .map(BareScriptsSubject.class::cast)
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

    private Outcome beside(
            Function<Map<String, List<Sample>>, List<Bar>> measure,
            String title,
            List<Function<String, Subject>> subjects) {
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
            List<Bar> bars = measure.apply(samples);
            return new Outcome(report.bars(bars).toString(), OptionalDouble.empty(), bars);
        } finally {
            opened.forEach(Subject::close);
        }
    }

    Outcome run() {
        List<Subject> opened = new ArrayList<>();
        try {
            List<Subject> subjects = open(opened, everyone());
            int rounds = settings.roundsOr(ROUNDS, QUICK_ROUNDS);
            Duration time = settings.timeOr(Duration.ofSeconds(3), Duration.ofSeconds(1));
            String loadBefore = Machine.load();
            Comparison comparison = new Comparison(subjects, new Meter(redis), System.err::println);
            Map<Integer, Map<String, List<Sample>>> samples = new LinkedHashMap<>();
            for (int threads : List.of(1, MANY, CROWD)) {
                samples.put(threads, comparison.of(new Uncontended(threads), rounds, time));
            }
            List<Subject> scripted =
                    open(opened, List.of(BareScriptsSubject::new, RedissonSubject::new, MinimalPairSubject::new));
            Map<String, ScriptCost.Cost> costs = new ScriptCost(redis, SCRIPT_BLOCKS, SCRIPT_NAMES).of(scripted);
            UncontendedReport report =
                    new UncontendedReport("Uncontended acquire and release", facts(loadBefore, rounds, time));
            samples.forEach((threads, those) -> report.scenario(new Uncontended(threads).title(), those));
            report.scripts(costs);
            Map<String, List<Sample>> many = samples.getOrDefault(MANY, Map.of());
            List<Bar> bars = UncontendedBars.of(
                    samples.getOrDefault(1, Map.of()), many, samples.getOrDefault(CROWD, Map.of()), costs);
            return new Outcome(report.bars(bars).toString(), ratio(many), bars);
        } finally {
            opened.forEach(Subject::close);
        }
    }

    private static List<Function<String, Subject>> everyone() {
        return List.of(
                LeaseSubject::new,
                LockSubject::new,
                LeaseSubject::overJedis,
                RedissonSubject::new,
                uri -> new SpringSubject(uri, RedisLockType.PUB_SUB_LOCK),
                ShedLockSubject::new,
                JedisSubject::new,
                BareScriptsSubject::new);
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
