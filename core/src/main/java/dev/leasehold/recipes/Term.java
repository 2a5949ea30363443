package dev.leasehold.recipes;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;

/**
 * One leadership, from the election to the demotion: one lease of the election's lock, with its fencing token. Safe for use
 * by any thread, also after its end.
 */
public interface Term {

    /**
     * The name of the election.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns a number that rises with every term of this election, for the guarded resource to check. Local; below
     * 2<sup>53</sup>.
     *
     * @return the token
     */
    long fencingToken();

    /**
     * Returns whether the leader may rely on leading at this moment. Local: sends no request. False as soon as the lease is
     * lost, past its deadline, or suspect. When the candidate gives up the term by itself, true until {@link
     * LeaderListener#onDemoted} has returned and the lock is released: so what it stops may end its last step.
     *
     * @return true while the term lasts
     */
    boolean isHeld();

    /**
     * Throws unless the term lasts. Local, except that one round trip confirms a lease that a clock jump has made
     * suspect.
     *
     * @throws LeaseLostException if the lease of this term was lost or released
     * @throws LockUnavailableException if the lease is suspect and Redis did not answer within the command timeout
     */
    void ensureHeld();

    /**
     * Returns how long the term lasts without another renewal, by the local monotonic clock.
     *
     * @return the time left, zero if it has ended
     */
    Duration remaining();
}
