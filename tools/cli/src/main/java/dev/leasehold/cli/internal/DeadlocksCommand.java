package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists those who wait for each other. */
@Command(
        name = "deadlocks",
        description = {
            "List the deadlocks that exist now: callers that wait for each other, also in different processes.",
            "",
            "Reads all locks by SCAN, and asks the processes that hold or wait for their threads. A deadlock is only"
                    + " possible if nobody knows that the holder of a lock is the thread that waits for the next: a lease is"
                    + " bound to no thread, a named owner acts in several threads, or a process does not answer."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:there is none, or they are only possible",
            " 1:there is a deadlock",
            "64:bad usage",
            "69:Redis cannot be reached or does not answer"
        })
final class DeadlocksCommand implements Callable<Integer> {

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(names = "--json", description = "Print a JSON array of the deadlocks, each with its waits.")
    private boolean json;

    @Option(
            names = "--stacks",
            description =
                    "Print the stacks of the threads, too, if their clients share them: LeaseholdBuilder.shareStacks(true).")
    private boolean stacks;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Deadlock> deadlocks;
        try (Leasehold leasehold = connection.open()) {
            deadlocks = Diagnostics.of(leasehold).deadlocks();
        }
        if (json) {
            Json.print(out, generator -> write(generator, deadlocks));
        } else if (deadlocks.isEmpty()) {
            out.println("No deadlock.");
        } else {
            deadlocks.forEach(deadlock -> print(out, deadlock));
        }
        return deadlocks.stream().anyMatch(Deadlock::certain) ? ExitCode.NO : ExitCode.OK;
    }

    private void print(PrintWriter out, Deadlock deadlock) {
        out.println(deadlock.certain() ? "Deadlock:" : "Possible deadlock:");
        for (LockWait wait : deadlock.cycle()) {
            out.println("  " + who(wait.waiter()) + " waits for " + Text.name(wait.lock()));
            for (LockParty holder : wait.holders()) {
                out.println("    held by " + who(holder));
            }
            if (stacks) {
                print(out, deadlock.stacks().getOrDefault(wait.waiter(), List.of()));
            }
        }
    }

    private static void print(PrintWriter out, List<String> stack) {
        stack.forEach(frame -> out.println("      at " + Text.name(frame)));
        if (stack.isEmpty()) {
            out.println(
                    "      (no stack: the client of this thread does not share it; LeaseholdBuilder.shareStacks(true) does)");
        }
    }

    private static String who(LockParty party) {
        String thread = party.threadId() == 0 && party.thread().isEmpty()
                ? "a task"
                : "thread " + Text.name(party.thread()) + (party.threadId() == 0 ? "" : " (" + party.threadId() + ")");
        String owner = party.owner() == null ? "" : ", owner " + Text.name(party.owner()) + ",";
        return thread + owner + " of process " + party.pid() + " on " + Text.name(party.host());
    }

    private static void write(JsonGenerator json, List<Deadlock> deadlocks) throws IOException {
        json.writeStartArray();
        for (Deadlock deadlock : deadlocks) {
            json.writeStartObject();
            json.writeBooleanField("certain", deadlock.certain());
            json.writeArrayFieldStart("waits");
            for (LockWait wait : deadlock.cycle()) {
                write(json, wait, deadlock.stacks());
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, LockWait wait, Map<LockParty, List<String>> stacks)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("lock", wait.lock());
        json.writeStringField("wants", wait.wants().name());
        json.writeStringField("since", Objects.toString(wait.since(), null));
        json.writeFieldName("waiter");
        write(json, wait.waiter());
        json.writeArrayFieldStart("holders");
        for (LockParty holder : wait.holders()) {
            write(json, holder);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("stack");
        for (String frame : stacks.getOrDefault(wait.waiter(), List.of())) {
            json.writeString(frame);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, LockParty party) throws IOException {
        json.writeStartObject();
        json.writeStringField("host", party.host());
        json.writeNumberField("pid", party.pid());
        json.writeStringField("thread", party.thread());
        json.writeNumberField("threadId", party.threadId());
        json.writeStringField("owner", party.owner());
        json.writeEndObject();
    }
}
