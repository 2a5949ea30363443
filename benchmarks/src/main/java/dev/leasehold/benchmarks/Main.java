package dev.leasehold.benchmarks;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;

/** Runs what the command line asks for. */
public final class Main {

    private static final int INCORRECT = 1;
    private static final int TOO_SLOW = 2;
    private static final int USAGE = 64;

    private Main() {}

    /** See {@code benchmarks/run --help}. */
    public static void main(String[] args) throws IOException {
        if (args.length == 1 && args[0].equals("--help")) {
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
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            if (settings.connect()) {
                publish(settings, "connect", new ConnectRun(settings, redis).run());
                return 0;
            }
            UncontendedRun.Outcome outcome = new UncontendedRun(settings, redis).run();
            publish(settings, "uncontended", outcome.report());
            return judge(settings, outcome.ratio());
        } catch (IncorrectException e) {
            System.err.println("INCORRECT: " + e.getMessage());
            return INCORRECT;
        } catch (RuntimeException e) {
            System.err.println("INCORRECT, or the machine is: " + e);
            e.printStackTrace();
            return INCORRECT;
        }
    }

    private static void publish(Settings settings, String what, String report) throws IOException {
        System.out.println(report);
        if (settings.only().isEmpty()) {
            Path file = settings.results().resolve(Facts.today() + "-" + what + ".md");
            Files.createDirectories(settings.results());
            Files.writeString(file, report);
        }
    }

    private static int judge(Settings settings, OptionalDouble ratio) {
        double wanted = settings.requireRatio();
        if (wanted == 0) {
            return 0;
        }
        boolean reached = ratio.isPresent() && ratio.getAsDouble() >= wanted;
        System.err.printf(
                Locale.ROOT,
                "Leasehold reaches %.2f times Redisson's pairs/s with 16 threads on 16 names; %.2f are required: %s%n",
                ratio.orElse(Double.NaN),
                wanted,
                reached ? "reached" : "NOT REACHED");
        return reached ? 0 : TOO_SLOW;
    }
}
