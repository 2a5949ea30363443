package dev.leasehold.internal.election;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.recipes.LeaderElection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A group of candidates that end together. They use locks as any caller does, but no measurement counts them as waiters. */
public final class Candidates {

    private final ElectionServices services;
    private final Set<Candidate> standing = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    public Candidates(ElectionServices services) {
        this.services = services;
    }

    /** The election by a fair lock. */
    public LeaderElection of(LockView lock, LockOptions options) {
        return new ElectionView(services, this, lock, options);
    }

    /**
     * Adds a candidate.
     *
     * @throws IllegalStateException if the client is closed, or is being closed
     */
    void add(Candidate candidate) {
        standing.add(candidate);
        if (closing || services.context().closed()) {
            // The client may have closed between the two.
            standing.remove(candidate);
            throw Lifecycle.closedException();
        }
    }

    void remove(Candidate candidate) {
        standing.remove(candidate);
    }

    /** Begins to end all candidacies, and does not wait for their ends. */
    public void closeAll() {
        closing = true;
        standing.forEach(Candidate::end);
    }

    /** Returns whether the listeners of all leaders were notified, except for the one that this thread runs. */
    public boolean allDemoted() {
        return standing.stream().allMatch(Candidate::demoted);
    }
}
