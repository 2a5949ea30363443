package dev.leasehold;

/**
 * A lock seen by a named owner. All who use the same owner name share the lock: each acquisition is a hold of its own
 * in Redis, with its own id, end and renewal, and the lock is free again when the last of them has ended. All holds of
 * one owner share one fencing token.
 *
 * <p>{@code acquire} of a named owner re-enters when that owner holds the lock already. The methods of
 * {@link java.util.concurrent.locks.Lock} still count per thread: a second thread that locks enters with a hold of its
 * own.
 */
public interface OwnedLock extends DistributedLock {

    /**
     * The owner's name.
     *
     * @return the name as given by the caller
     */
    String owner();

    /**
     * Whether this owner holds the lock now, from any process, as Redis sees it. One round trip; a hint, as the answer
     * may be outdated when it arrives.
     *
     * @return true if at least one hold of this owner is live
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    boolean isHeld();

    /**
     * How many live holds this owner has, from any process, as Redis sees it. One round trip.
     *
     * @return the number of holds, 0 if none
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     */
    @Override
    int holdCount();

    @Override
    OwnedLock with(LockOptions options);
}
