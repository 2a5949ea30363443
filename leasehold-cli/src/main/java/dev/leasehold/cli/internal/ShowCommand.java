package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LockInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one lock. */
@Command(
        name = "show",
        description = {
            "Show who holds a lock.",
            "",
            "With several holds of one named owner, host, pid, thread and since are those of the oldest.",
            "A process may hand the lock on to its own waiters: then the first of them is shown."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done, also if nobody holds it",
            "64:bad usage",
            "65:something that is no lock lies under the lock's key",
            "69:Redis cannot be reached or does not answer"
        })
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print a JSON object; its field 'held' says whether there is a holder.")
    private boolean json;

    @Parameters(paramLabel = "NAME", description = "The lock.")
    private String name = "";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Arguments.checkName(name);
        try (Leasehold leasehold = connection.open()) {
            Optional<LockInfo> found = leasehold.inspector().find(name);
            if (json) {
                Json.print(out, generator -> write(generator, found));
            } else if (found.isPresent()) {
                print(out, found.get());
            } else {
                out.println(Text.name(name) + ": nobody holds it.");
            }
        }
        return ExitCode.OK;
    }

    private void write(JsonGenerator generator, Optional<LockInfo> found) throws IOException {
        generator.writeStartObject();
        generator.writeBooleanField("held", found.isPresent());
        if (found.isPresent()) {
            Json.lockFields(generator, found.get());
        } else {
            generator.writeStringField("name", name);
        }
        generator.writeEndObject();
    }

    private static void print(PrintWriter out, LockInfo lock) {
        line(out, "name", Text.name(lock.name()));
        line(
                out,
                "owner",
                Text.name(lock.owner()) + (lock.ownerNamed() ? "" : " (the beginning of the id of the acquisition)"));
        line(out, "host", Text.name(lock.host()));
        line(out, "pid", String.valueOf(lock.pid()));
        line(out, "thread", Text.name(lock.thread()));
        line(out, "since", LockText.since(lock));
        line(out, "lease left", Durations.format(lock.left()));
        line(out, "token", String.valueOf(lock.fencingToken()));
        line(out, "holds", String.valueOf(lock.count()));
        if (lock.shared()) {
            line(out, "shared", "yes: its holders read; shown is the one that has read for the longest time");
        }
        if (lock.permits() > 0) {
            line(
                    out,
                    "permits",
                    lock.permitsHeld() + " of " + lock.permits()
                            + " are held; shown is who has held for the longest time");
        }
        if (lock.label() != null) {
            line(out, "label", Text.name(lock.label()));
        }
        if (lock.handsOn()) {
            line(out, "hands on", "yes: the process passes the lock on to its own waiters; shown is the first of them");
        }
    }

    private static void line(PrintWriter out, String what, String value) {
        out.printf("%-11s %s%n", what, value);
    }
}
