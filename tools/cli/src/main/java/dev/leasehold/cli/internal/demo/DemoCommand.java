package dev.leasehold.cli.internal.demo;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.cli.internal.CliException;
import dev.leasehold.cli.internal.ConnectionOptions;
import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.ExitCode;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.cli.internal.demo.Verdict.Check;
import dev.leasehold.testkit.EmbeddedRedis;
import io.lettuce.core.RedisException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Demonstrates the lock with five processes, and what happens without it. */
@Command(
        name = "demo",
        description = {
            "Let five processes contend to draw a lottery, freeze one holder of the lock, kill another, and judge.",
            "",
            "With --keep it draws no lottery: it keeps locks with holders and waiters in four processes, two of which wait for"
                    + " each other, to be seen with 'top', 'ls', 'show', 'deadlocks' and 'console' in another terminal.",
            "",
            "The lottery takes about 20 seconds. Prints a timeline, and a verdict computed from the records of the processes. Ends"
                    + " with " + ExitCode.OK + " only if the lock held.",
            "",
            "Without --redis it starts a Redis server with a random password and stops it at the end. On a given server it uses keys with a"
                    + " prefix of its own, and deletes them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:the lock held, or the time of --keep is over",
            " 1:the lock did not hold, or the demonstration failed",
            "64:bad usage",
            "69:Redis cannot be reached"
        })
public final class DemoCommand implements Callable<Integer> {

    /** The longest time that the command line accepts. */
    private static final String UNTIL_INTERRUPTED = "365d";

    /** The prefix of all commands, for a server of its own. */
    private static final String DEFAULT_PREFIX = "leasehold";

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = "The server to use. The demonstration ignores LEASEHOLD_REDIS, so that it never runs on a"
                    + " server by accident.")
    private @Nullable String redis;

    @Option(
            names = "--keep",
            arity = "0..1",
            paramLabel = "TIME",
            fallbackValue = UNTIL_INTERRUPTED,
            converter = Durations.class,
            description = "Keep locks with holders and waiters for this time, without TIME until Ctrl-C, and print the"
                    + " options with which other commands see them.")
    private @Nullable Duration keep;

    @Option(names = "--without-lock", description = "Play the first draw without a lock, to see what happens.")
    private boolean withoutLock;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "The lease of the players, 1s to 10s. Default: 3s.")
    private Duration lease = Duration.ofSeconds(3);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** For picocli. */
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(Duration.ofSeconds(10)) > 0) {
            throw new IllegalArgumentException("--lease must be between 1s and 10s");
        }
        if (keep != null && withoutLock) {
            throw new IllegalArgumentException("--keep and --without-lock exclude one another");
        }
        String prefix = "leasehold-demo-" + Long.toHexString(new SecureRandom().nextLong());
        try (Timeline timeline = new Timeline(spec.commandLine().getOut())) {
            if (redis != null) {
                String where = (keep == null ? "plays on " : "uses ") + address(redis);
                return run(redis, prefix, where, timeline);
            }
            try (EmbeddedRedis own = EmbeddedRedis.start()) {
                String where = "started a Redis server of its own on port " + own.port();
                return run(own.uri(), keep == null ? prefix : DEFAULT_PREFIX, where, timeline);
            }
        }
    }

    /** Connects once: what is wrong with the URI or its server is told without the password in it. */
    private static String address(String uri) {
        try (Leasehold leasehold = Leasehold.builder()
                .uri(uri)
                .preflight(LeaseholdBuilder.Preflight.OFF)
                .build()) {
            return Text.line(leasehold.inspector().address());
        }
    }

    private int run(String uri, String prefix, String where, Timeline timeline) throws InterruptedException {
        try {
            return keep == null ? play(uri, prefix, where, timeline) : keep(uri, prefix, where, timeline, keep);
        } catch (DemoFailedException e) {
            timeline.close();
            throw new CliException(ExitCode.NO, "the demonstration failed: " + e.getMessage(), e);
        } catch (RedisException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CliException(ExitCode.UNAVAILABLE, "Redis cannot be used: " + cause.getMessage(), e);
        }
    }

    private int play(String uri, String prefix, String where, Timeline timeline) throws InterruptedException {
        try (Demo demo = new Demo(uri, prefix, withoutLock ? Duration.ZERO : lease, timeline);
                Cleanup cleanup = Cleanup.of(demo::close)) {
            String leases = withoutLock ? "no lock is used" : "leases last " + Durations.format(lease);
            timeline.say(where + "; " + leases + "; starts five processes ...");
            List<Check> checks = withoutLock ? demo.withoutLock() : demo.withLock();
            timeline.close();
            return report(checks);
        }
    }

    private int keep(String uri, String prefix, String where, Timeline timeline, Duration time)
            throws InterruptedException {
        try (SampleDemo demo = new SampleDemo(uri, prefix, lease);
                Cleanup cleanup = Cleanup.of(demo::close)) {
            timeline.say(where + "; starts four processes ...");
            demo.start();
            timeline.close();
            boolean endless = time.equals(new Durations().convert(UNTIL_INTERRUPTED));
            String options = prefix.equals(DEFAULT_PREFIX) ? "" : " --prefix " + prefix;
            PrintWriter out = spec.commandLine().getOut();
            out.println("Locks are held and waited for, " + (endless ? "until Ctrl-C" : "for " + Durations.format(time))
                    + ". In another terminal" + (redis == null ? ":" : ", with the same --redis:"));
            if (redis == null) {
                // The password of this server, which ends with the demonstration.
                out.println("  export " + ConnectionOptions.VARIABLE + "='" + uri + "'");
            }
            List.of("top", "ls --waiting", "show nightly-report", "deadlocks", "console")
                    .forEach(command -> out.println("  ./leasehold " + command + options));
            out.flush();
            demo.keep(time);
            return ExitCode.OK;
        }
    }

    private int report(List<Check> checks) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("%nVerdict, from the records of the processes:%n");
        for (Check check : checks) {
            out.printf("  %-4s  %s%n", check.passed() ? "ok" : "FAIL", check.text());
        }
        boolean held = checks.stream().allMatch(Check::passed);
        String words = held ? "The lock held." : "The lock did not hold.";
        out.println(withoutLock && !held ? "This is what a lock prevents." : words);
        return held ? ExitCode.OK : ExitCode.NO;
    }
}
