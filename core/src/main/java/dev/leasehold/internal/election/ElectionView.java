package dev.leasehold.internal.election;

import dev.leasehold.LockOptions;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import java.util.Objects;
import java.util.Optional;

/** An election as its users see it: a fair lock, and candidates that wait for it. Immutable. */
final class ElectionView implements LeaderElection {

    private final ElectionServices services;
    private final Candidates elections;
    private final LockView lock;
    private final LockOptions options;

    ElectionView(ElectionServices services, Candidates elections, LockView lock, LockOptions options) {
        this.services = services;
        this.elections = elections;
        this.lock = lock;
        this.options = options;
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public Candidacy stand(LeaderListener listener) {
        services.context().ensureOpen();
        Candidate candidate =
                new Candidate(services, elections, lock, options, Objects.requireNonNull(listener, "listener"));
        candidate.begin();
        return candidate;
    }

    @Override
    public LeaderElection with(LockOptions other) {
        return new ElectionView(services, elections, (LockView) lock.with(other), other);
    }

    @Override
    public Optional<LockInfo> leader() {
        return lock.inspect();
    }

    @Override
    public String toString() {
        return "leader election by " + lock;
    }
}
