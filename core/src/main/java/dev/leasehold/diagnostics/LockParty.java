package dev.leasehold.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who holds a lock or waits for one: a thread of a process, or a task that is bound to no thread.
 *
 * @param host the host name of the process; empty if it is not known, as for a plain lock that another library holds
 * @param pid the process id; 0 if it is not known
 * @param thread the name of the thread; empty if it has none, or if no thread is bound to the lease
 * @param threadId the id of the thread in its process; 0 if no thread is bound to the lease, or if the process did not tell
 * @param owner the named owner; null if the caller named none
 */
public record LockParty(
        String host,
        long pid,
        String thread,
        long threadId,
        @Nullable String owner) {}
