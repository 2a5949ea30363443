package dev.leasehold.cli.internal.run;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdException;
import dev.leasehold.LockOptions;
import dev.leasehold.cli.internal.Arguments;
import dev.leasehold.cli.internal.CliException;
import dev.leasehold.cli.internal.ConnectionOptions;
import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.ExitCode;
import dev.leasehold.cli.internal.FormatOption;
import dev.leasehold.cli.internal.LockText;
import dev.leasehold.cli.internal.Text;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command under a lock. */
@Command(
        name = "run",
        customSynopsis = "leasehold run [OPTION...] NAME -- COMMAND [ARGUMENT...]",
        description = {
            "Run a command under a lock: flock(1) for a fleet.",
            "",
            "Acquires the lock NAME, runs COMMAND, renews the lease while COMMAND runs, and releases the lock when it"
                    + " ends, even if it left processes in the background. COMMAND receives the name in LEASEHOLD_LOCK"
                    + " and the fencing token in LEASEHOLD_TOKEN (not with --permits, nor with a --format without tokens). It inherits only"
                    + " standard input, output and error, and the environment without LEASEHOLD_REDIS, which may have a password.",
            "",
            "SIGHUP, SIGINT, SIGTERM, SIGUSR1 and SIGUSR2 are passed on to COMMAND. A signal to the whole process group,"
                    + " such as Ctrl-C, has already reached COMMAND and is not sent again.",
            "",
            "If the lease is lost, or if this process is killed, COMMAND and its descendants receive SIGTERM, and SIGKILL"
                    + " after the time of --kill-after.",
            "",
            "A frozen leasehold process cannot stop its COMMAND: while it is stopped (SIGSTOP, Ctrl-Z, a paused"
                    + " container, a suspended machine) the lease ends, another client gets the lock, and COMMAND may"
                    + " still work. LEASEHOLD_TOKEN is for this: a number that rises with every holder. Send it with"
                    + " every write, and let the resource refuse a number lower than one it has seen."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0-255:the exit code of COMMAND; 128 plus the number of the signal if one ended it",
            " 64:bad usage",
            " 65:the lock's key holds a value that is not a lock",
            " 69:Redis cannot be reached or does not answer",
            " 75:another client held the lock for the whole time of --wait; COMMAND was not started",
            " 76:the lease was lost while COMMAND ran",
            "126:COMMAND cannot be executed",
            "127:COMMAND was not found"
        })
public final class RunCommand implements Callable<Integer> {

    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "The longest time to wait for the lock: 500ms, 10s, 5m, 1h, 0 to try once, or forever."
                    + " Default: 10s.")
    private String wait = "10s";

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "The time for which the lock outlives this process if it dies without releasing it, at least"
                    + " 50ms. The lease is renewed after each third of this time. Default: 30s.")
    private Duration leaseTime = Duration.ofSeconds(30);

    @Option(
            names = "--shared",
            description = "Take the read lock: runs with --shared run at the same time, and exclude runs without it.")
    private boolean shared;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description =
                    "Take one of the N permits of the semaphore NAME: at most N run at the same time. Every run must"
                            + " give the same number.")
    private int permits;

    @Option(
            names = "--pass-redis",
            description =
                    "Give COMMAND the URIs of the servers in LEASEHOLD_REDIS, with their passwords: for a COMMAND that calls"
                            + " leasehold itself.")
    private boolean passRedis;

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(
            names = "--kill-after",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "The time from SIGTERM to SIGKILL when COMMAND must end. Default: 5s.")
    private Duration killAfter = Duration.ofSeconds(5);

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Parameters(
            index = "1..*",
            paramLabel = "COMMAND",
            description = "The command to run, after '--', with its arguments.")
    private List<String> command = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** For picocli. */
    public RunCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        checkArguments();
        Duration waitLimit = waitLimit();
        if (leaseTime.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "--lease is longer than 1d: a long lease blocks every other client when its holder"
                            + " dies. Use a short one: it is renewed while COMMAND runs");
        }
        LockOptions options = LockOptions.builder().leaseTime(leaseTime).build();
        Signals signals = Signals.listen();
        ReleaseNotice notice = new ReleaseNotice();
        try (Leasehold leasehold =
                connection.open(builder -> builder.defaults(options).listener(notice))) {
            DistributedLock lock = lock(leasehold);
            signals.waiting();
            Lease lease = acquire(lock, waitLimit);
            int stoppedBy = signals.waited();
            if (stoppedBy != 0) {
                lease.release();
                return stoppedBy;
            }
            String token = permits > 0 || !format.hasToken() ? null : String.valueOf(lease.fencingToken());
            return new GuardedRun(lease, environment(lease, token), command, killAfter, signals, notice, this::report)
                    .run();
        } catch (InterruptedException e) {
            int stoppedBy = signals.waited();
            if (stoppedBy == 0) {
                throw e;
            }
            return stoppedBy;
        }
    }

    /** Returns the variables for the command; those with an empty value are withheld from it. */
    private Map<String, String> environment(Lease lease, @Nullable String token) {
        return Map.of(
                "LEASEHOLD_LOCK",
                lease.name(),
                // A token of an enclosing run does not belong to this lock.
                "LEASEHOLD_TOKEN",
                token == null ? "" : token,
                ConnectionOptions.VARIABLE,
                passRedis ? connection.variable() : "");
    }

    private DistributedLock lock(Leasehold leasehold) {
        if (permits > 0) {
            return leasehold.semaphore(name, permits).asLock();
        }
        if (!format.isOwn()) {
            return leasehold.lock(name, format.format());
        }
        return shared ? leasehold.readWriteLock(name).readLock() : leasehold.lock(name);
    }

    private void checkArguments() {
        List<String> args = spec.commandLine().getParseResult().originalArgs();
        int dashes = args.indexOf("--");
        if (command.isEmpty() || dashes < 0 || command.size() != args.size() - dashes - 1) {
            throw new ParameterException(
                    spec.commandLine(), "put '--' and the command after the name: leasehold run NAME -- COMMAND");
        }
        if (spec.commandLine().getParseResult().hasMatchedOption("--permits") && (shared || permits < 1)) {
            throw new ParameterException(
                    spec.commandLine(), "--permits: give a number of at least 1, and not together with --shared");
        }
        if (!format.isOwn() && (shared || permits > 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--format: such a lock has one holder, so give neither --shared nor --permits");
        }
        Arguments.checkName(name);
        Arguments.check(command.toArray(String[]::new));
    }

    /** Returns the longest time to wait, or null for no limit. */
    private @Nullable Duration waitLimit() {
        try {
            return wait.equals("forever") ? null : new Durations().convert(wait);
        } catch (RuntimeException e) {
            throw new ParameterException(spec.commandLine(), "--wait: " + e.getMessage() + ", nor 'forever'", e);
        }
    }

    private static Lease acquire(DistributedLock lock, @Nullable Duration waitLimit) throws InterruptedException {
        return waitLimit == null ? lock.acquire() : lock.tryAcquire(waitLimit).orElseThrow(() -> busy(lock, waitLimit));
    }

    private static CliException busy(DistributedLock lock, Duration waited) {
        String holder;
        try {
            holder = lock.inspect()
                    .map(info -> " by " + LockText.holder(info))
                    .orElse(" by another client until just now");
        } catch (LeaseholdException e) {
            holder = " by another client";
        }
        String time = waited.isZero() ? "" : ", for all of " + Durations.format(waited);
        return new CliException(ExitCode.BUSY, "lock '" + Text.name(lock.name()) + "' is held" + holder + time);
    }

    private void report(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("leasehold: " + Text.line(message));
        err.flush();
    }
}
