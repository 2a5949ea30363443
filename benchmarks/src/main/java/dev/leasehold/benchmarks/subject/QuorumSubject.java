package dev.leasehold.benchmarks.subject;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;

/** Leasehold over five servers of its own, of which a majority decides. */
public final class QuorumSubject implements Subject {

    /** What it is called in the tables. */
    public static final String NAME = "Leasehold quorum of 5";

    private static final int SERVERS = 5;

    private final List<EmbeddedRedis> servers = new ArrayList<>();
    private final LeaseSubject leases;

    /** Starts the servers, and waits until they count. */
    public QuorumSubject() {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(EmbeddedRedis.start());
        }
        leases = LeaseSubject.quorum(
                NAME, servers.stream().map(EmbeddedRedis::uri).toArray(String[]::new));
        try {
            Grip grip = leases.grip("first");
            grip.acquire();
            grip.release();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the servers counted", e);
        }
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
        servers.forEach(EmbeddedRedis::close);
    }
}
