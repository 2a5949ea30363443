package dev.leasehold.cli.internal.top;

import dev.leasehold.Leasehold;
import dev.leasehold.cli.internal.Arguments;
import dev.leasehold.cli.internal.CliException;
import dev.leasehold.cli.internal.ConnectionOptions;
import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.ExitCode;
import dev.leasehold.cli.internal.LockOrder;
import dev.leasehold.cli.internal.Terminal;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.cli.internal.run.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the held locks and their waiters, and refreshes them. */
@Command(
        name = "top",
        description = {
            "Show the locks that are held now and their waiters, refreshed until you leave.",
            "",
            "Keys: q or Ctrl-C leaves, s changes the order, / edits the filter (Enter keeps it, Esc drops the change),"
                    + " the arrows, PgUp, PgDn, Home and End scroll.",
            "Without a terminal it prints the view once.",
            "",
            "Hand-offs are the locks whose holder changed between two refreshes. Dead waiters do not count. If Redis gives"
                    + " no answer, the last state stays, dimmed, until it does. Reads all keys of the server by SCAN at"
                    + " each refresh, and pauses at least as long as that took."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:you left, or the view is printed",
            "64:bad usage",
            "69:Redis cannot be reached or does not answer at the start; without a terminal also if a server is missing"
        })
public final class TopCommand implements Callable<Integer> {

    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
    private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);
    private static final List<String> ENDING_SIGNALS = List.of("INT", "TERM", "HUP");

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "The time between two refreshes, 100ms to 1h. Default: 2s.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description =
                    "The order of the locks: name, age (the longest held first), left (the lease that ends next first),"
                            + " or waiting (the most waiters first). Default: name.")
    private LockOrder order = LockOrder.NAME;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME-FILTER",
            description = "Show only locks with this in their name, whether in capitals or not.")
    private String filter = "";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    /** For picocli. */
    public TopCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
            throw new IllegalArgumentException("--interval must be between 100ms and 1h");
        }
        Arguments.check(filter);
        TopModel model = new TopModel(Clock.systemUTC());
        TopControls controls = new TopControls(order, filter);
        try (Leasehold leasehold = connection.open()) {
            TopScreen drawing = new TopScreen(connection.address(), interval, ZoneId.systemDefault());
            Reading first = Reading.of(leasehold.inspector());
            if (first.failure() != null) {
                throw first.failure();
            }
            first.into(model);
            if (Terminal.isInteractive() && !isDumb(System.getenv("TERM"))) {
                Poller poller = new Poller(() -> Reading.of(leasehold.inspector()), interval);
                return live(new LiveTop(model, controls, drawing), poller);
            }
            drawing.drawAll(model, controls).forEach(spec.commandLine().getOut()::println);
            return checkComplete(first);
        }
    }

    private static int checkComplete(Reading reading) {
        if (reading.missing().isEmpty()) {
            return ExitCode.OK;
        }
        throw new CliException(
                ExitCode.UNAVAILABLE,
                "no answer from " + String.join(", ", reading.missing()) + ": the locks there are not shown");
    }

    /** Signals end the view as a key does, so that the terminal is restored on the thread that uses it. */
    private static int live(LiveTop top, Poller poller) throws InterruptedException {
        for (String name : ENDING_SIGNALS) {
            Signal.handle(name, signal -> top.leave(ExitCode.ofSignal(signal.number())));
        }
        Signal.handle("WINCH", signal -> top.resize());
        try (DeferredErrors errors = DeferredErrors.begin(Text.CHARSET);
                TerminalScreen screen = TerminalScreen.open()) {
            return top.show(screen, poller);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isDumb(@Nullable String type) {
        return type == null || type.isEmpty() || type.equals("dumb");
    }
}
