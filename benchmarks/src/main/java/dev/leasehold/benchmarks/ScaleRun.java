package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.measure.Step;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.benchmarks.report.Machine;
import dev.leasehold.benchmarks.report.MarkdownTable;
import dev.leasehold.benchmarks.report.Numbers;
import dev.leasehold.benchmarks.scenario.Scale;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs one lock with many holds or waiters, and reports the slow script calls. */
final class ScaleRun {

    private static final int HOLDS = 10_000;
    private static final int QUICK_HOLDS = 2_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration QUICK_LEASE = Duration.ofSeconds(12);
    private static final double MICROS_PER_MILLI = 1000;
    private static final double PER_THOUSAND = 1000;

    private final Settings settings;
    private final EmbeddedRedis redis;

    ScaleRun(Settings settings, EmbeddedRedis redis) {
        this.settings = settings;
        this.redis = redis;
    }

    TrialRun.Outcome run() {
        int holds = settings.quick() ? QUICK_HOLDS : HOLDS;
        String load = Machine.load();
        try (Scale scale = new Scale(redis, holds, settings.timeOr(LEASE, QUICK_LEASE))) {
            List<Step> steps = scale.run(settings.only());
            List<Bar> bars = bars(steps);
            return new TrialRun.Outcome(report(holds, load, steps, bars), bars);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private String report(int holds, String load, List<Step> steps, List<Bar> bars) {
        return "# " + Numbers.of((long) holds) + " holds or waiters of one lock\n\n- " + Facts.dateAndCommit() + "\n- "
                + Machine.describe(redis) + "\n- load average of the machine: " + load + " before, " + Machine.load()
                + """
                 after (this run included)
                - One connection sends all calls, one after another. The time of a call is that of the server's slow log. The
                  time on a core is at most the CPU time of the server from the request to the reply: it leaves out the time
                  in which other processes had the core. The bars judge it. The last two rows are scripts without a command,
                  which show what the machine alone does to calls.

                """ + table(steps) + "\n## Bars\n\n" + Bar.table(bars);
    }

    private static MarkdownTable table(List<Step> steps) {
        MarkdownTable table = new MarkdownTable(
                "situation: calls",
                "calls",
                "us a call",
                "above 1 ms",
                "above 5 ms",
                "longest ms",
                "above 1 ms on a core",
                "above 5 ms on a core",
                "longest on a core ms",
                "lost");
        for (Step step : steps) {
            table.row(
                    step.part() + ": " + step.name(),
                    Numbers.of(step.calls()),
                    Numbers.of(step.each()),
                    Numbers.of(step.above(Step.SLOW_MICROS)),
                    Numbers.of(step.above(Step.TOO_SLOW_MICROS)),
                    millis(step.longestMicros()),
                    Numbers.of(step.aboveOnCore(Step.SLOW_MICROS)),
                    Numbers.of(step.aboveOnCore(Step.TOO_SLOW_MICROS)),
                    millis(step.longest().map(Step.Slow::cpuMicros).orElse(0L)),
                    Numbers.of(step.lost()));
        }
        return table;
    }

    private static String millis(long micros) {
        return micros <= Step.SLOW_MICROS ? "below 1" : Numbers.of(micros / MICROS_PER_MILLI);
    }

    /** Returns the bars of each situation over all its calls together. */
    static List<Bar> bars(List<Step> steps) {
        Map<String, Step> parts = new LinkedHashMap<>();
        steps.stream()
                .filter(step -> !step.part().equals(Scale.MACHINE))
                .forEach(step -> parts.merge(step.part(), step, Step::plus));
        List<Bar> bars = new ArrayList<>();
        parts.forEach((part, sum) -> {
            String where = Scenarios.SCALE + ", " + part + ": ";
            double share = PER_THOUSAND * sum.aboveOnCore(Step.SLOW_MICROS) / sum.calls();
            bars.add(Bar.atMost(where + "calls above 1 ms", 1, " of 1,000", share));
            bars.add(Bar.atMost(where + "calls above 5 ms", 0, "", (double) sum.aboveOnCore(Step.TOO_SLOW_MICROS)));
            bars.add(Bar.atMost(where + "holds or positions lost", 0, "", (double) sum.lost()));
        });
        return bars;
    }
}
