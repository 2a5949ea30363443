package dev.leasehold;

import java.util.Optional;

/** One candidate of a {@link LeaderElection}, until it is closed. Safe for use by any thread. */
public interface Candidacy extends AutoCloseable {

    /**
     * The name of the election.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * The term by which this candidate leads. Local: asks nobody.
     *
     * @return the term, or empty if it does not lead, or not {@linkplain Term#isHeld() validly}
     */
    Optional<Term> term();

    /**
     * Whether this candidate may rely on leading at this moment. Local: asks nobody.
     *
     * @return true while it has a valid {@link #term()}
     */
    default boolean isLeader() {
        return term().isPresent();
    }

    /**
     * Gives the present term up and stands again, behind all who stand by then: with others, another leads next; alone, it
     * is elected anew, with a higher token. Does nothing if this candidate does not lead. Returns at once:
     * {@link LeaderListener#onDemoted} is called, then the lock is released.
     */
    void resign();

    /**
     * Ends the candidacy: the present term is given up, and no other follows. Waits until
     * {@link LeaderListener#onDemoted} has returned and the lock is released, at most the command time-out of the client, after
     * which it goes on in the background; called by the listener itself, it does not wait. Idempotent.
     */
    @Override
    void close();
}
