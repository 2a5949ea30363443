package dev.leasehold.benchmarks.subject;

import dev.leasehold.testkit.EmbeddedQuorum;

/** Leasehold over five servers of its own, with majority decisions. */
public final class QuorumSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Leasehold quorum of 5";

    private final EmbeddedQuorum servers = EmbeddedQuorum.start();
    private final LeaseSubject leases;

    /** Starts the servers, and makes them count. */
    public QuorumSubject() {
        leases = LeaseSubject.quorum(NAME, servers.uris().toArray(String[]::new));
        servers.letCount();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        return leases.grip(lock);
    }

    @Override
    public void close() {
        leases.close();
        servers.close();
    }
}
