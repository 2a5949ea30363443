package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import java.time.Instant;
import java.util.List;

/**
 * A node of the wait graph: somebody waits, and those have the lock.
 *
 * @param holders who has the lock, and stands in the way of the waiter
 * @param any whether one of them is enough to let it in: it waits for permits
 */
record Wait(Contender waiter, List<Contender> holders, boolean any) {

    /** Returns how far it is known that this wait ends only after that one. */
    Contender.Link dependsOn(Wait other) {
        Contender.Link closest = Contender.Link.NONE;
        for (Contender holder : holders) {
            Contender.Link link = holder.is(other.waiter);
            if (any && link == Contender.Link.CERTAIN) {
                link = Contender.Link.POSSIBLE;
            }
            closest = link.compareTo(closest) > 0 ? link : closest;
        }
        return closest;
    }

    /** Returns whether the same wait was found again, and the holders on which another wait made it depend. */
    boolean isStill(Wait before, Wait next) {
        return waiter.same(before.waiter)
                && before.holders.stream()
                        .filter(holder -> holder.is(next.waiter) != Contender.Link.NONE)
                        .anyMatch(holder -> holders.stream().anyMatch(holder::same));
    }

    LockWait shown(String lockName) {
        List<LockParty> parties = holders.stream().map(Contender::party).toList();
        long since = waiter.entry().sinceMillis();
        return new LockWait(
                lockName,
                waiter.entry().wants(),
                waiter.party(),
                since > 0 ? Instant.ofEpochMilli(since) : null,
                parties);
    }
}
