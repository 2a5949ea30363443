package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.Latches;
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

/** Shows one lock or latch. */
@Command(
        name = "show",
        description = {
            "Show the holder of a lock and its queue, or the remaining count of a latch.",
            "",
            "The leader of an election holds the lock of that name.",
            "If a named owner has several holds, host, pid, thread and since belong to the oldest.",
            "If a process hands the lock off to its own waiters, the first of them is shown.",
            "A client has one position in the queue for all its callers, except in a fair queue, and shows the first of"
                    + " them. A dead waiter has not polled for 7 s; it loses its position when it is next."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:the lock has a holder, or there is a latch",
            " 1:the lock is free",
            "64:bad usage",
            "65:the key holds a value that is neither",
            "69:Redis cannot be reached or does not answer"
        })
final class ShowCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--json",
            description = "Print a JSON object with its 'kind'; for a lock, 'held' says whether it has a holder.")
    private boolean json;

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(paramLabel = "NAME", description = "The lock or the latch.")
    private String name = "";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        Arguments.checkName(name);
        try (Leasehold leasehold = connection.open()) {
            if (!format.isOwn()) {
                return show(leasehold.lock(name, format.format()).inspect());
            }
            try {
                return show(leasehold.lock(name).inspect());
            } catch (ForeignKeyException noLock) {
                show(Latches.of(leasehold).find(name).orElseThrow(() -> noLock));
                return ExitCode.OK;
            }
        }
    }

    private void show(LatchInfo latch) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, generator -> {
                generator.writeStartObject();
                Json.latchFields(generator, latch);
                generator.writeEndObject();
            });
            return;
        }
        line(out, "name", Text.name(latch.name()));
        line(out, "kind", "latch");
        line(out, "count", LockText.count(latch));
        line(out, "left", LockText.left(latch));
    }

    private int show(Optional<LockInfo> found) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, generator -> write(generator, found));
        } else if (found.isPresent()) {
            print(out, found.get());
        } else {
            out.println(Text.name(name) + ": not held.");
        }
        return found.isPresent() ? ExitCode.OK : ExitCode.NO;
    }

    private void write(JsonGenerator generator, Optional<LockInfo> found) throws IOException {
        generator.writeStartObject();
        generator.writeBooleanField("held", found.isPresent());
        if (found.isPresent()) {
            Json.lockFields(generator, found.get(), kind(found.get()));
        } else {
            generator.writeStringField("name", name);
        }
        generator.writeEndObject();
    }

    private String kind(LockInfo lock) {
        return format.isOwn() ? LockText.kind(lock) : format.format().toString();
    }

    private void print(PrintWriter out, LockInfo lock) {
        line(out, "name", Text.name(lock.name()));
        line(out, "kind", kind(lock));
        if (lock.count() > 0) {
            line(out, "owner", Text.name(lock.owner()) + (lock.ownerNamed() ? "" : ownerIs(lock)));
        }
        if (lock.since() == null) {
            line(out, "holder", lock.count() > 0 ? "unknown: another library holds it" : "no hold can be read");
        } else {
            line(out, "host", Text.name(lock.host()));
            line(out, "pid", String.valueOf(lock.pid()));
            line(out, "thread", Text.name(lock.thread()));
            line(out, "since", LockText.since(lock));
        }
        line(out, "lease left", Durations.format(lock.left()));
        line(
                out,
                "token",
                format.isOwn() || lock.fencingToken() > 0
                        ? String.valueOf(lock.fencingToken())
                        : "none beside the holder");
        line(out, "holds", String.valueOf(lock.count()));
        printRest(out, lock);
    }

    private static String ownerIs(LockInfo lock) {
        return lock.since() == null
                ? " (the beginning of the value under its key)"
                : " (the beginning of the id of the acquisition)";
    }

    private static void printRest(PrintWriter out, LockInfo lock) {
        if (lock.problem() != null) {
            line(out, "problem", lock.problem());
        }
        if (lock.shared()) {
            line(out, "shared", "yes: the holders are readers; the oldest is shown");
        }
        if (lock.permits() > 0) {
            line(
                    out,
                    "permits",
                    lock.permitsHeld() + " of " + lock.permits() + " are held; the oldest holder is shown");
        }
        if (lock.label() != null) {
            line(out, "label", Text.name(lock.label()));
        }
        if (lock.retained()) {
            line(out, "retained", "yes: nobody may use it; its client releases it when another asks for it");
        } else if (lock.handsOff()) {
            line(out, "hand-off", "yes: the process hands the lock off to its own waiters; the first of them is shown");
        }
        if (!lock.waiters().isEmpty()) {
            printWaiters(out, lock);
        }
    }

    private static void printWaiters(PrintWriter out, LockInfo lock) {
        out.println();
        Table table = new Table("POSITION", "WANTS", "OWNER", "HOST", "PID", "THREAD", "SINCE", "STATE");
        lock.waiters().forEach(waiter -> table.row(LockText.waiter(waiter)));
        table.print(out);
    }

    private static void line(PrintWriter out, String what, String value) {
        out.printf("%-11s %s%n", what, value);
    }
}
