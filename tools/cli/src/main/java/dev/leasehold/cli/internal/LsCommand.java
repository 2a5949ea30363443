package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.recipes.Latches;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the held locks and the latches. */
@Command(
        name = "ls",
        description = {
            "List the locks that are held now, and then the latches by name.",
            "",
            "Reads all keys of the server by SCAN. Control characters in names are escaped. The leader of an election"
                    + " holds the lock of that name. With --format, those locks are listed that another library shares; of"
                    + " --format plain, every string key is one, so add --match."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            "64:bad usage",
            "69:Redis cannot be reached or does not answer; of a cluster, the locks of the servers that answer are listed, unless"
                    + " --format or --match is given"
        })
final class LsCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--waiting",
            description =
                    "List only the locks that somebody waits for, with the number of waiters and the longest wait,"
                            + " and no latches. Dead waiters do not count.")
    private boolean waiting;

    @Mixin
    private FormatOption format = new FormatOption();

    @Option(
            names = "--match",
            paramLabel = "PATTERN",
            description = "List only the locks with these names, in which * stands for any text, and no latches.")
    private @Nullable String match;

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description =
                    "The order of the locks: name, age (the longest held first), left (the lease that ends next first),"
                            + " or waiting (the most waiters first). Default: name.")
    private LockOrder order = LockOrder.NAME;

    @Option(names = "--json", description = "Print a JSON array of objects, each with its 'kind'.")
    private boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (waiting && !format.isOwn()) {
            throw new CliException(ExitCode.USAGE, "--waiting needs --format leasehold: other formats keep no queue");
        }
        PrintWriter out = spec.commandLine().getOut();
        Set<String> missing = new TreeSet<>();
        try (Leasehold leasehold = connection.open()) {
            List<LockInfo> locks = locks(leasehold, missing).stream()
                    .filter(lock -> !waiting || LockQueue.of(lock).waiters() > 0)
                    .sorted(order.comparator())
                    .toList();
            List<LatchInfo> latches =
                    waiting || !listsAll() ? List.of() : Latches.of(leasehold).list(missing::add);
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

    private boolean listsAll() {
        return match == null && format.isOwn();
    }

    private List<LockInfo> locks(Leasehold leasehold, Set<String> missing) {
        return listsAll()
                ? leasehold.inspector().locks(missing::add)
                : leasehold.inspector().locks(match == null ? "*" : match, format.format());
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

    private void print(PrintWriter out, List<LockInfo> locks, List<LatchInfo> latches, boolean complete) {
        if (!locks.isEmpty()) {
            printLocks(out, locks);
        } else if (complete) {
            out.println(waiting ? "No lock has waiters." : "No lock is held.");
        }
        if (!latches.isEmpty()) {
            out.println();
            printLatches(out, latches);
        }
    }

    private void printLocks(PrintWriter out, List<LockInfo> locks) {
        boolean queues = waiting || order == LockOrder.WAITING;
        Table table = new Table(columns(
                queues,
                Stream.of("NAME", "KIND", "OWNER", "HOST", "PID", "THREAD", "SINCE", "LEFT", "TOKEN", "HOLDS"),
                Stream.of("WAITING", "LONGEST WAIT")));
        Instant now = Instant.now();
        for (LockInfo lock : locks) {
            LockQueue queue = LockQueue.of(lock);
            table.row(columns(
                    queues,
                    Stream.of(
                            Text.name(lock.name()),
                            LockText.kind(lock),
                            LockText.orDash(lock.owner()),
                            LockText.orDash(lock.host()),
                            LockText.pid(lock.pid()),
                            LockText.orDash(lock.thread()),
                            lock.since() == null ? "-" : LockText.since(lock),
                            Durations.format(lock.left()),
                            lock.fencingToken() == 0 ? "-" : String.valueOf(lock.fencingToken()),
                            String.valueOf(lock.count())),
                    Stream.of(String.valueOf(queue.waiters()), LockText.time(queue.longestWait(now)))));
        }
        table.print(out);
        locks.stream()
                .filter(lock -> lock.problem() != null)
                .forEach(lock -> out.println(Text.name(lock.name()) + ": " + lock.problem()));
    }

    private static String[] columns(boolean queues, Stream<String> lock, Stream<String> queue) {
        return (queues ? Stream.concat(lock, queue) : lock).toArray(String[]::new);
    }

    private static void printLatches(PrintWriter out, List<LatchInfo> latches) {
        Table table = new Table("LATCH", "COUNT", "LEFT");
        for (LatchInfo latch : latches) {
            table.row(Text.name(latch.name()), LockText.count(latch), LockText.left(latch));
        }
        table.print(out);
    }
}
