package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.internal.key.Holder;

/**
 * Somebody who waits for a lock or has it.
 *
 * @param process pid@host, as in Redis
 * @param told whether the process itself told; if not, the entry has what Redis knows: no ids, and the name of a thread at most
 * @param report the report that told it, of a holder only if it proves that its author knows the hold in Redis; else empty
 */
record Contender(String process, boolean told, LeaseEntry entry, String report) {

    /** The thread of a holder that its process did not name among those that wait. */
    static final long WAITS_FOR_NOTHING = -1;

    /** How far it is known that one who has a lock is one who waits for another. */
    enum Link {
        NONE,
        POSSIBLE,
        CERTAIN
    }

    /** Returns whether this one, who has a lock, is that one, who waits. */
    Link is(Contender waiter) {
        LeaseEntry mine = entry;
        LeaseEntry its = waiter.entry;
        boolean sameProcess = process.equals(waiter.process) && !process.isEmpty();
        boolean sameThread =
                sameProcess && told && waiter.told && mine.threadId() != 0 && mine.threadId() == its.threadId();
        if (sameThread && !report.isEmpty() && report.equals(waiter.report)) {
            return Link.CERTAIN;
        }
        boolean sameOwner = !mine.owner().isEmpty() && mine.owner().equals(its.owner());
        // One task of a process may hold for another one; but two that want the same lock merely contend.
        boolean unbound = told
                && waiter.told
                && mine.threadId() == 0
                && its.threadId() == 0
                && !mine.key().equals(its.key());
        boolean sameName = (!told || !waiter.told)
                && !mine.thread().isEmpty()
                && mine.thread().equals(its.thread());
        return sameThread || sameOwner || (sameProcess && (unbound || sameName)) ? Link.POSSIBLE : Link.NONE;
    }

    /** Returns whether both are the same lease, or as far as Redis knows the same caller. */
    boolean same(Contender other) {
        return process.equals(other.process)
                && told == other.told
                && entry.lease().equals(other.entry.lease())
                && entry.hold().equals(other.entry.hold())
                && entry.key().equals(other.entry.key())
                && entry.threadId() == other.entry.threadId()
                && entry.thread().equals(other.entry.thread())
                && entry.owner().equals(other.entry.owner());
    }

    LockParty party() {
        Holder holder = new Holder(process, "", "");
        return new LockParty(
                holder.host(),
                holder.pid(),
                entry.thread(),
                Math.max(0, entry.threadId()),
                entry.owner().isEmpty() ? null : entry.owner());
    }
}
