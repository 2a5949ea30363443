package dev.leasehold.recipes;

import java.util.Optional;

/** One candidate in a {@link LeaderElection}, until it is closed. Safe for use by any thread. */
public interface Candidacy extends AutoCloseable {

    /**
     * The name of the election.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns the term in which this candidate leads. Local: sends no request.
     *
     * @return the term, or empty if the candidate does not lead or its term is not {@linkplain Term#isHeld() valid}
     */
    Optional<Term> term();

    /**
     * Returns whether this candidate may rely on leading at this moment. Local: sends no request.
     *
     * @return true while it has a valid {@link #term()}
     */
    default boolean isLeader() {
        return term().isPresent();
    }

    /**
     * Ends the present term and stands for election again, behind all other candidates. If there are other candidates,
     * one of them leads next; otherwise this candidate is elected again, with a higher token. Does nothing if this
     * candidate does not lead. Returns immediately: the client calls {@link LeaderListener#onDemoted}, then releases
     * the lock.
     */
    void resign();

    /**
     * Ends the candidacy: the present term ends, and no other follows. Waits until {@link LeaderListener#onDemoted} has
     * returned and the lock is released, for at most the client's command timeout; after that, the release continues in
     * the background. When the listener itself calls this method, it does not wait. Idempotent.
     */
    @Override
    void close();
}
