package dev.leasehold.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition that a worker of a plan will try, and what it does with the lease.
 *
 * @param notBefore when it begins at the earliest, in true time
 * @param lock the number of the lock
 * @param waitNanos how long it waits: 0 tries once, below 0 waits without a limit
 * @param leaseMillis the lease time
 * @param renewals 0 for none, the greatest int for as long as it is held
 * @param maxHoldMillis the maximum hold, 0 for none
 * @param pollMillis the interval of polling
 * @param wakeUps whether it waits in the queue of the lock
 * @param owner a named owner, or null
 * @param cancelAfter when the acquisition is cancelled; below 0 never
 * @param body how long it holds the lock
 * @param acts what it does meanwhile
 * @param careless whether it writes without asking its lease first, trusting in the token
 * @param staleWriteAfter when it tries to write once more after the release; below 0 never
 */
record Op(
        long notBefore,
        int lock,
        long waitNanos,
        long leaseMillis,
        int renewals,
        long maxHoldMillis,
        long pollMillis,
        boolean wakeUps,
        @Nullable String owner,
        long cancelAfter,
        long body,
        List<Act> acts,
        boolean careless,
        long staleWriteAfter) {

    /**
     * Something done while holding.
     *
     * @param at how long after the grant
     * @param amount of an extension, or how long a write is under way to the resource
     */
    record Act(Kind kind, long at, long amount) {}

    /** What a holder does. */
    enum Kind {
        LOOK,
        ENSURE,
        READ,
        WRITE,
        EXTEND
    }
}
