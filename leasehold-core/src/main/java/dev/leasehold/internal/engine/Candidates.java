package dev.leasehold.internal.engine;

import dev.leasehold.LeaderElection;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The candidates of a client, which end with it. They use locks as anybody does; the engine knows nothing of them. */
public final class Candidates {

    private final Engine engine;
    private final Set<Candidate> standing = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /** Those of the client with this engine. */
    public Candidates(Engine engine) {
        this.engine = engine;
    }

    /** The election of a name. */
    public LeaderElection of(LockKey key, LockOptions options) {
        return new ElectionView(engine, this, LockView.fair(engine, key, options), options);
    }

    /**
     * Takes a candidate in.
     *
     * @throws IllegalStateException if the client is closed, or is being closed
     */
    void add(Candidate candidate) {
        standing.add(candidate);
        if (closing || engine.closed()) {
            // Perhaps missed by the closing.
            standing.remove(candidate);
            throw Engine.closedException();
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
