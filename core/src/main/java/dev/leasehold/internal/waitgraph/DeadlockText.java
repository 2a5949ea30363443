package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.internal.key.Names;
import java.util.stream.Collectors;

/** A deadlock in one sentence for the log, with names escaped. */
final class DeadlockText {

    private DeadlockText() {}

    static String of(Deadlock deadlock) {
        return deadlock.cycle().stream().map(DeadlockText::of).collect(Collectors.joining("; "));
    }

    private static String of(LockWait wait) {
        return of(wait.waiter()) + " waits for lock '" + Names.escape(wait.lock()) + "', which "
                + wait.holders().stream().map(DeadlockText::of).collect(Collectors.joining(" and ")) + " has";
    }

    private static String of(LockParty party) {
        String who = party.thread().isEmpty() ? "a task" : "thread " + Names.escape(party.thread());
        String owner = party.owner() == null ? "" : " (owner '" + Names.escape(party.owner()) + "')";
        return who + owner + " of process " + party.pid() + "@" + Names.escape(party.host());
    }
}
