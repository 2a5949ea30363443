package dev.leasehold;

/**
 * A lock as used by a named owner. All callers with the same owner name share the lock. Each acquisition is a separate
 * hold in Redis, with its own id, end and renewal; the lock is free when the last hold has ended. All holds of one
 * owner share one fencing token.
 *
 * <p>{@code acquire} is reentrant for a named owner: it succeeds if that owner holds the lock already. The methods of
 * {@link java.util.concurrent.locks.Lock} still count per thread: a second thread that locks gets a separate hold.
 */
public interface OwnedLock extends DistributedLock {

    /**
     * The owner's name.
     *
     * @return the name as given by the caller
     */
    String owner();

    /**
     * Returns whether this owner holds the lock now, from any process, as Redis sees it. One round trip; only a hint,
     * because the answer may be outdated when it arrives.
     *
     * @return true if at least one hold of this owner is live
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     */
    boolean isHeld();

    /**
     * Returns the number of live holds of this owner, from any process, as Redis sees it. One round trip.
     *
     * @return the number of holds, 0 if none
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     */
    @Override
    int holdCount();

    @Override
    OwnedLock with(LockOptions options);
}
