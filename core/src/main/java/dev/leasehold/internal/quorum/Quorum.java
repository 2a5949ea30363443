package dev.leasehold.internal.quorum;

import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.List;

/** The servers of a quorum, its majority, its clock and its errors. Safe for use by any thread. */
final class Quorum {

    private final List<Node> nodes;
    private final Majority majority;
    private final QuorumParts parts;
    private final VirtualClock clock;

    Quorum(List<Node> nodes, QuorumParts parts) {
        this.nodes = List.copyOf(nodes);
        this.majority = new Majority(nodes.size());
        this.parts = parts;
        this.clock = new VirtualClock(parts.time());
    }

    QuorumParts parts() {
        return parts;
    }

    List<Node> nodes() {
        return nodes;
    }

    Majority majority() {
        return majority;
    }

    /** Returns the time that the engine uses as the time of Redis. */
    ServerTime timeAt(long nanos) {
        return clock.at(nanos);
    }

    /** Returns the pause after a try that began at this moment and met others. */
    long pause(int failedTries, long startedAt) {
        long took = parts.time().nanoTime() - startedAt;
        return Majority.pause(failedTries, took, parts.jitter().getAsDouble());
    }

    TransportException noMajority(int agreeing) {
        return new TransportException(
                "only " + agreeing + " of " + nodes.size() + " servers confirmed this, and " + majority.needed()
                        + " are needed",
                true,
                null);
    }

    RuntimeException otherLongest(Node node, String micros) {
        return new RedisErrorException("QUORUM " + node + " belongs to a quorum whose longest lease is "
                + Long.parseLong(micros) / 1000 + " ms with drift, and not "
                + parts.longest().nanos() / 1_000_000
                + " ms: give all clients the same maxLeaseTime(...)");
    }

    RuntimeException foreignMarker(Node node, String found) {
        return new RedisErrorException("QUORUM the key " + parts.marker() + " of " + node + " holds something else: "
                + found + ". Use another key prefix, or remove that key");
    }
}
