package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;

/** The servers of a quorum, its majority, and its replies and errors in the form of one Redis. Safe for use by any thread. */
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

    /** Returns the reply of a script that ran at a local moment. */
    List<String> reply(String code, long at, String... details) {
        List<String> words = new ArrayList<>();
        words.add(code);
        words.add(Long.toString(clock.at(at).micros()));
        words.addAll(List.of(details));
        return words;
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
