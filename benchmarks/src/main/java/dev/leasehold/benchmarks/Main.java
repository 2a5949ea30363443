package dev.leasehold.benchmarks;

import dev.leasehold.benchmarks.plot.Plot;
import dev.leasehold.benchmarks.report.Bar;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Runs the measurements that the command line requests. */
public final class Main {

    private static final int INCORRECT = 1;
    private static final int TOO_SLOW = 2;
    private static final int USAGE = 64;

    private final Settings settings;
    private final List<Bar> bars = new ArrayList<>();
    private int exit;

    private Main(Settings settings) {
        this.settings = settings;
    }

    /** See {@code benchmarks/run --help}. */
    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help")) {
            System.out.print(Settings.USAGE);
            return;
        }
        System.exit(run(args));
    }

    private static int run(String[] args) throws IOException {
        Settings settings;
        try {
            settings = Settings.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(Settings.USAGE);
            return USAGE;
        }
        try {
            return new Main(settings).run();
        } catch (IncorrectException e) {
            System.err.println("INCORRECT: " + e.getMessage());
            return INCORRECT;
        } catch (RuntimeException e) {
            System.err.println("INCORRECT, or the machine is: " + e);
            e.printStackTrace();
            return INCORRECT;
        }
    }

    private int run() throws IOException {
        for (String scenario : settings.scenarios()) {
            if (scenario.equals(Scenarios.PLOT)) {
                plot();
                continue;
            }
            // Each has servers of its own: nothing of the others is left.
            if (scenario.equals(Scenarios.CLUSTER_OUTAGE)) {
                accept(scenario, new OutageRun(settings).run());
                continue;
            }
            try (EmbeddedRedis redis = EmbeddedRedis.builder().withoutPassword().start()) {
                measure(scenario, redis);
            }
        }
        if (!bars.isEmpty()) {
            System.out.println("# Bars\n\n" + Bar.table(bars));
            if (settings.requireBars() && !bars.stream().allMatch(Bar::reached)) {
                exit = TOO_SLOW;
            }
        }
        return exit;
    }

    private void plot() {
        try {
            Plot.write(settings.results()).forEach(file -> System.out.println("wrote " + file));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            exit = USAGE;
        }
    }

    private void measure(String scenario, EmbeddedRedis redis) throws IOException {
        Map<String, Situation> situations = Scenarios.situations();
        Situation situation = situations.get(scenario);
        if (situation != null) {
            accept(scenario, new TrialRun(settings, redis, situation).run());
        } else if (scenario.equals(Scenarios.SEMAPHORE)) {
            accept(scenario, UncontendedRun.ofSemaphore(settings, redis));
        } else if (scenario.equals(Scenarios.JEDIS)) {
            accept(scenario, UncontendedRun.ofJedis(settings, redis));
        } else if (scenario.equals(Scenarios.QUORUM)) {
            accept(scenario, UncontendedRun.ofQuorum(settings, redis));
        } else if (scenario.equals(Scenarios.SCRIPTS)) {
            accept(scenario, UncontendedRun.ofScripts(settings, redis));
        } else if (scenario.equals(Scenarios.SCALE)) {
            accept(scenario, new ScaleRun(settings, redis).run());
        } else if (scenario.equals(Scenarios.LOSS)) {
            accept(scenario, new LossRun(settings, redis).run());
        } else if (scenario.equals(Scenarios.DEADLOCK)) {
            accept(scenario, new DeadlockRun(settings, redis).run());
        } else if (scenario.equals(Scenarios.SHARED)) {
            publish(scenario, new SharedRun(settings, redis).run());
        } else if (scenario.equals(Scenarios.CONNECT)) {
            publish(scenario, new ConnectRun(settings, redis).run());
        } else {
            UncontendedRun.Outcome outcome = new UncontendedRun(settings, redis).run();
            accept(scenario, outcome);
            judge(outcome.ratio());
        }
    }

    private void accept(String scenario, TrialRun.Outcome outcome) throws IOException {
        bars.addAll(outcome.bars());
        publish(scenario, outcome.report());
    }

    private void accept(String scenario, UncontendedRun.Outcome outcome) throws IOException {
        bars.addAll(outcome.bars());
        publish(scenario, outcome.report());
    }

    private void publish(String what, String report) throws IOException {
        System.out.println(report);
        if (settings.only().isEmpty()) {
            Path file =
                    settings.results().resolve(Facts.today() + "-" + what + (settings.quick() ? "-quick.md" : ".md"));
            Files.createDirectories(settings.results());
            Files.writeString(file, report);
        }
    }

    private void judge(OptionalDouble ratio) {
        double wanted = settings.requireRatio();
        if (wanted == 0) {
            return;
        }
        boolean reached = ratio.isPresent() && ratio.getAsDouble() >= wanted;
        System.err.printf(
                Locale.ROOT,
                "Leasehold reaches %.2f times Redisson's pairs/s with 16 threads on 16 names; %.2f are required: %s%n",
                ratio.orElse(Double.NaN),
                wanted,
                reached ? "reached" : "NOT REACHED");
        exit = reached ? exit : TOO_SLOW;
    }
}
