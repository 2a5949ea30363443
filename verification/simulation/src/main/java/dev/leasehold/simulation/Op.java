package dev.leasehold.simulation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition that a worker of a plan will try, and its actions with the lease.
 *
 * @param notBefore its earliest start, in true time
 * @param lock the number of the lock
 * @param waitNanos the wait time: 0 tries once, below 0 waits without a limit
 * @param leaseMillis the lease time
 * @param renewals 0 for none, the greatest int for as long as it is held
 * @param maxHoldMillis the maximum hold, 0 for none
 * @param pollMillis the interval of polling
 * @param wakeUps whether it waits in the queue of the lock
 * @param owner a named owner, or null
 * @param cancelAfter the time after which the acquisition is cancelled; below 0 never
 * @param body the time for which it holds the lock
 * @param acts its actions meanwhile
 * @param careless whether it writes without querying its lease first, relying on the token
 * @param staleWriteAfter the time after the release of one more attempt to write; below 0 never
 * @param use the features that it uses
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
        long staleWriteAfter,
        Use use) {

    /** Returns the same acquisition of another lock, which it holds for another time, without a named owner. */
    Op briefly(int otherLock, long otherBody) {
        return new Op(
                notBefore,
                otherLock,
                waitNanos,
                leaseMillis,
                renewals,
                maxHoldMillis,
                pollMillis,
                wakeUps,
                null,
                cancelAfter,
                otherBody,
                acts,
                careless,
                staleWriteAfter,
                use);
    }

    /** Returns the same acquisition with other features. */
    Op using(Use features) {
        return new Op(
                notBefore,
                lock,
                waitNanos,
                leaseMillis,
                renewals,
                maxHoldMillis,
                pollMillis,
                wakeUps,
                owner,
                cancelAfter,
                body,
                acts,
                careless,
                staleWriteAfter,
                features);
    }

    /**
     * An action of a holder.
     *
     * @param at its time after the grant
     * @param amount of an extension, or the time that a write takes to the resource
     * @param cancelAfter the time after which it is cancelled; below 0 never
     */
    record Act(Kind kind, long at, long amount, long cancelAfter) {}

    /** The kinds of actions. */
    enum Kind {
        LOOK,
        ENSURE,
        READ,
        WRITE,
        EXTEND,
        /** Makes the hold of a writer one of readers. */
        DOWNGRADE
    }
}
