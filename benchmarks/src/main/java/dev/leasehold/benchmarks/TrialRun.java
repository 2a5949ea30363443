package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Round;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.TrialReport;
import dev.leasehold.benchmarks.scenario.Contended;
import dev.leasehold.benchmarks.scenario.Renewal;
import dev.leasehold.benchmarks.scenario.Retained;
import dev.leasehold.benchmarks.scenario.Trial;
import dev.leasehold.benchmarks.scenario.Waiters;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs one situation of several JVMs, and reports its results. */
final class TrialRun {

    private final Settings settings;
    private final EmbeddedRedis redis;
    private final Situation situation;

    TrialRun(Settings settings, EmbeddedRedis redis, Situation situation) {
        this.settings = settings;
        this.redis = redis;
        this.situation = situation;
    }

    /** The results. */
    record Outcome(String report, List<Bar> bars) {}

    Outcome run() {
        String load = Machine.load();
        Duration time = settings.timeOr(situation.time(), situation.quickTime());
        int rounds = settings.roundsOr(Settings.ROUNDS, Settings.QUICK_ROUNDS);
        try (Trial trial = trial(time)) {
            Map<Contestant, List<Round>> measured =
                    Trial.inTurns(trial, situation.contestants(settings.only()), rounds, System.err::println);
            List<Bar> bars = Bars.of(situation, measured);
            List<String> facts = List.of(
                    Facts.dateAndCommit(),
                    Machine.describe(redis),
                    "load average of the machine: " + load + " before, " + Machine.load()
                            + " after (this run included)",
                    rounds + " measured rounds of " + Facts.seconds(time) + " each, after one that was not measured; "
                            + situation.explanation());
            TrialReport report = new TrialReport(trial.title(), facts, situation.columns());
            return new Outcome(report.of(measured, situation.unit(), bars), bars);
        }
    }

    private Trial trial(Duration time) {
        return switch (situation) {
            case ONE_JVM -> new Contended(redis, new Contended.Shape(1, 16, Duration.ZERO), time);
            case FOUR_JVMS -> new Contended(redis, new Contended.Shape(4, 8, Duration.ZERO), time);
            case HAND_OFF -> new Contended(redis, new Contended.Shape(30, 1, Duration.ofMillis(5)), time);
            case READ_WRITE_0 -> new Contended(redis, new Contended.Shape(1, 16, Duration.ZERO, 0), time);
            case READ_WRITE_10 -> new Contended(redis, new Contended.Shape(1, 16, Duration.ZERO, 10), time);
            case READ_WRITE_50 -> new Contended(redis, new Contended.Shape(1, 16, Duration.ZERO, 50), time);
            case READ_WRITE_FOUR_JVMS -> new Contended(redis, new Contended.Shape(4, 8, Duration.ZERO, 10), time);
            case WAITERS_10_NAMES -> waiters(1, 1000, 10, time);
            case WAITERS_1000_NAMES -> waiters(1, 1000, 1000, time);
            case WAITERS_60_JVMS -> waiters(60, 60, 1, time);
            case FAIR -> new Waiters(redis, new Waiters.Shape(4, 1000, 10, 25, Duration.ofSeconds(2)), time, limit());
            case RETAINED -> new Retained(redis, time);
            case RENEWAL -> new Renewal(redis, settings.quick() ? 5_000 : 100_000, time);
        };
    }

    private Waiters waiters(int jvms, int waiters, int names, Duration idle) {
        return new Waiters(redis, new Waiters.Shape(jvms, waiters, names, 1, Duration.ofSeconds(2)), idle, limit());
    }

    private Duration limit() {
        return settings.quick() ? Duration.ofSeconds(10) : Duration.ofSeconds(60);
    }
}
