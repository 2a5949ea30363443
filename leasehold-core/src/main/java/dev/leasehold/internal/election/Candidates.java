package dev.leasehold.internal.election;

import dev.leasehold.DistributedLock;
import dev.leasehold.LeaderElection;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.request.Lifecycle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The candidates of a client, which end with it. They use locks as anybody does; the engine knows nothing of them. */
public final class Candidates {

    private final ElectionServices services;
    private final Set<Candidate> standing = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    public Candidates(ElectionServices services) {
        this.services = services;
    }

    /** The election by a fair lock. */
    public LeaderElection of(DistributedLock lock, LockOptions options) {
        return new ElectionView(services, this, lock, options);
    }

    /**
     * Takes a candidate in.
     *
     * @throws IllegalStateException if the client is closed, or is being closed
     */
    void add(Candidate candidate) {
        standing.add(candidate);
        if (closing || services.context().closed()) {
            // Perhaps missed by the closing.
            standing.remove(candidate);
            throw Lifecycle.closedException();
        }
    }

    void remove(Candidate candidate) {
        standing.remove(candidate);
    }

    /** Begins to end all candidacies; nobody is waited for. */
    public void closeAll() {
        closing = true;
        standing.forEach(Candidate::end);
    }

    /** Whether none is left: each leader has been told, and has released. */
    public boolean allEnded() {
        return standing.isEmpty();
    }
}
