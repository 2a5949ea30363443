package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the held locks and the latches. */
@Command(
        name = "ls",
        description = {
            "List the locks that are held now, and then the latches, each ordered by name.",
            "",
            "Reads all keys of the server by SCAN. Control characters in names are escaped. The leader of an election"
                    + " holds the lock of that name. Plain locks are not listed, as their keys have no prefix;"
                    + " 'leasehold show --plain' shows one."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            "64:bad usage",
            "69:Redis cannot be reached or does not answer; of a cluster, the locks of the servers that answer are listed"
        })
final class LsCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print a JSON array of objects, each with its 'kind'.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Set<String> missing = new TreeSet<>();
        try (Leasehold leasehold = connection.open()) {
            List<LockInfo> locks = leasehold.inspector().locks(missing::add);
            List<LatchInfo> latches = leasehold.inspector().latches(missing::add);
            if (json) {
                Json.print(out, generator -> write(generator, locks, latches));
            } else {
                print(out, locks, latches, missing.isEmpty());
            }
        }
        if (missing.isEmpty()) {
            return ExitCode.OK;
        }
        throw new CliException(
                ExitCode.UNAVAILABLE,
                "no answer from " + String.join(", ", missing) + ": the locks and latches there are not listed");
    }

    private static void write(JsonGenerator generator, List<LockInfo> locks, List<LatchInfo> latches)
            throws java.io.IOException {
        generator.writeStartArray();
        for (LockInfo lock : locks) {
            Json.lock(generator, lock);
        }
        for (LatchInfo latch : latches) {
            Json.latch(generator, latch);
        }
        generator.writeEndArray();
    }

    private static void print(PrintWriter out, List<LockInfo> locks, List<LatchInfo> latches, boolean complete) {
        if (!locks.isEmpty()) {
            printLocks(out, locks);
        } else if (complete) {
            out.println("No lock is held.");
        }
        if (!latches.isEmpty()) {
            out.println();
            printLatches(out, latches);
        }
    }

    private static void printLocks(PrintWriter out, List<LockInfo> locks) {
        Table table = new Table("NAME", "KIND", "OWNER", "HOST", "PID", "THREAD", "SINCE", "LEFT", "TOKEN", "HOLDS");
        for (LockInfo lock : locks) {
            table.row(
                    Text.name(lock.name()),
                    LockText.kind(lock),
                    Text.name(lock.owner()),
                    Text.name(lock.host()),
                    String.valueOf(lock.pid()),
                    Text.name(lock.thread()),
                    LockText.since(lock),
                    Durations.format(lock.left()),
                    String.valueOf(lock.fencingToken()),
                    String.valueOf(lock.count()));
        }
        table.print(out);
    }

    private static void printLatches(PrintWriter out, List<LatchInfo> latches) {
        Table table = new Table("LATCH", "COUNT", "LEFT");
        for (LatchInfo latch : latches) {
            table.row(Text.name(latch.name()), LockText.count(latch), LockText.left(latch));
        }
        table.print(out);
    }
}
