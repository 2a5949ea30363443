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
import dev.leasehold.cli.internal.LockText;
import dev.leasehold.cli.internal.ScriptsOption;
import dev.leasehold.cli.internal.Text;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
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
            "Takes the lock NAME, runs COMMAND, renews the lease as long as it runs, and releases the lock when it has"
                    + " ended, also if it left processes in the background. COMMAND finds the name in"
                    + " LEASEHOLD_LOCK and its fencing token in LEASEHOLD_TOKEN (not with --permits or --plain). Of the open files it inherits"
                    + " standard input, output and error.",
            "",
            "SIGHUP, SIGINT, SIGTERM, SIGUSR1 and SIGUSR2 are passed on to COMMAND. A signal that was sent to the whole"
                    + " process group, as Ctrl-C is, has reached COMMAND already and is not sent twice.",
            "",
            "If the lease is lost, or if this process is killed, COMMAND and its descendants get SIGTERM, and SIGKILL"
                    + " after the time of --kill-after.",
            "",
            "A frozen leasehold process cannot stop its COMMAND: while it is stopped (SIGSTOP, Ctrl-Z, a paused"
                    + " container, a suspended machine) the lease ends, another gets the lock, and COMMAND may still"
                    + " work. LEASEHOLD_TOKEN is for this: a number that rises with every holder. Hand it over with"
                    + " every write, and let the written resource refuse a number lower than one it has seen."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0-255:that of COMMAND; 128 and the number of the signal if one ended it",
            " 64:bad usage",
            " 65:something that is no lock lies under the lock's key",
            " 69:Redis cannot be reached or does not answer",
            " 75:another held the lock for the whole time of --wait; COMMAND was not started",
            " 76:the lease was lost while COMMAND ran",
            "126:COMMAND cannot be executed",
            "127:COMMAND was not found"
        })
public final class RunCommand implements Callable<Integer> {

    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "How long to wait while others hold the lock: 500ms, 10s, 5m, 1h, 0 to try once, or forever."
                    + " Default: 10s.")
    private String wait = "10s";

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            converter = Durations.class,
            description =
                    "How long the lock outlives this process if it dies without releasing it, at least 50ms. It is"
                            + " renewed after each third of this time. Default: 30s.")
    private Duration leaseTime = Duration.ofSeconds(30);

    @Option(
            names = "--shared",
            description = "Read: others with --shared may run at the same time, and none without it.")
    private boolean shared;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description =
                    "So many may run at the same time: takes one of the N permits of the semaphore NAME. All say the"
                            + " same number.")
    private int permits;

    @Option(
            names = "--plain",
            description =
                    "Take a plain lock, the string key of the common convention: NAME is its key as it is. It has no"
                            + " fencing token.")
    private boolean plain;

    @Option(
            names = "--kill-after",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "How long COMMAND has from SIGTERM to SIGKILL when it must end. Default: 5s.")
    private Duration killAfter = Duration.ofSeconds(5);

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    private ScriptsOption scripts = new ScriptsOption();

    @Parameters(index = "0", paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Parameters(index = "1..*", paramLabel = "COMMAND", description = "What to run, after '--', with its arguments.")
    private List<String> command = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** For picocli. */
    public RunCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        checkArguments();
        Duration patience = patience();
        if (leaseTime.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "--lease is longer than 1d: a long lease blocks everybody when its holder"
                            + " dies. A short one will do, as it is renewed as long as COMMAND runs");
        }
        LockOptions options = LockOptions.builder().leaseTime(leaseTime).build();
        Signals signals = Signals.listen();
        ReleaseNotice notice = new ReleaseNotice();
        try (Leasehold leasehold = scripts.on(connection.builder())
                .defaults(options)
                .listener(notice)
                .build()) {
            DistributedLock lock = lock(leasehold);
            signals.waiting();
            Lease lease = acquire(lock, patience);
            int stoppedBy = signals.waited();
            if (stoppedBy != 0) {
                lease.release();
                return stoppedBy;
            }
            String token = permits > 0 || plain ? null : String.valueOf(lease.fencingToken());
            return new GuardedRun(lease, token, command, killAfter, signals, notice, this::tell).run();
        } catch (InterruptedException e) {
            int stoppedBy = signals.waited();
            if (stoppedBy == 0) {
                throw e;
            }
            return stoppedBy;
        }
    }

    private DistributedLock lock(Leasehold leasehold) {
        if (permits > 0) {
            return leasehold.semaphore(name, permits).asLock();
        }
        if (plain) {
            return leasehold.plainLock(name);
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
                    spec.commandLine(), "--permits: give a number from 1 on, and not together with --shared");
        }
        if (plain && (shared || permits > 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--plain: a plain lock has one holder, so give neither --shared nor --permits");
        }
        scripts.check(spec, plain);
        Arguments.checkName(name);
        Arguments.check(command.toArray(String[]::new));
    }

    /** How long to wait, or null for as long as it takes. */
    private @Nullable Duration patience() {
        try {
            return wait.equals("forever") ? null : new Durations().convert(wait);
        } catch (RuntimeException e) {
            throw new ParameterException(spec.commandLine(), "--wait: " + e.getMessage() + ", nor 'forever'", e);
        }
    }

    private static Lease acquire(DistributedLock lock, @Nullable Duration patience) throws InterruptedException {
        return patience == null ? lock.acquire() : lock.tryAcquire(patience).orElseThrow(() -> busy(lock, patience));
    }

    private static CliException busy(DistributedLock lock, Duration waited) {
        String holder;
        try {
            holder = lock.inspect().map(info -> " by " + LockText.holder(info)).orElse(" by another until just now");
        } catch (LeaseholdException e) {
            holder = " by another";
        }
        String time = waited.isZero() ? "" : ", for all of " + Durations.format(waited);
        return new CliException(ExitCode.BUSY, "lock '" + Text.name(lock.name()) + "' is held" + holder + time);
    }

    private void tell(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("leasehold: " + Text.line(message));
        err.flush();
    }
}
