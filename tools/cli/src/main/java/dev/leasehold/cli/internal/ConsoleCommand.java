package dev.leasehold.cli.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves the console on loopback until the process is ended. */
@Command(
        name = "console",
        description = {
            "Show the locks in a browser: holders, queues, hand-offs and the servers, refreshed every second.",
            "",
            "Serves one page on 127.0.0.1 and prints its address, which works once: the browser that opens it first has the"
                    + " session. Requests are sent to Redis only while the page is open. Ctrl-C ends the console."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "64:bad usage, or the port cannot be used",
            "69:Redis cannot be reached or does not answer",
            "130:ended by Ctrl-C"
        })
final class ConsoleCommand implements Callable<Integer> {

    private static final int LARGEST_PORT = 65_535;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--port", paramLabel = "N", description = "The port on 127.0.0.1. Default: a free one.")
    private int port;

    @Option(
            names = "--open-actions",
            description =
                    "Also offer to ask a holder for its release, and to take a lock away. Each needs a reason, which is"
                            + " logged to standard error.")
    private boolean openActions;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (port < 0 || port > LARGEST_PORT) {
            throw new CliException(ExitCode.USAGE, "--port " + port + " is not a port: use 1 to " + LARGEST_PORT);
        }
        try (Leasehold leasehold = connection.open();
                Console console = Console.over(leasehold);
                ConsoleServer server = start(console)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("The console of " + connection.address() + " is at");
            out.println("  " + server.uri());
            out.println("The address works once. Ctrl-C ends the console.");
            out.flush();
            new CountDownLatch(1).await();
            return ExitCode.OK;
        }
    }

    private ConsoleServer start(Console console) {
        try {
            return ConsoleServer.start(console, port, openActions);
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "cannot listen on port " + port + " of 127.0.0.1: " + Text.line(String.valueOf(e.getMessage()))
                            + ". Choose another one with --port, or none for a free one",
                    e);
        }
    }
}
