package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports the features in use that depend on the version or on the kind of the servers, and those that are missing. */
final class FeatureCheck {

    private final ServerQueries queries;
    private final List<String> used = new ArrayList<>();
    private final List<String> lacking = new ArrayList<>();

    FeatureCheck(ServerQueries queries) {
        this.queries = queries;
    }

    /**
     * Runs the check once.
     *
     * @param version the version of the first server; null if it is not known
     * @param wakesUp whether Redis accepts wake-ups
     */
    Finding run(ServerDescription description, @Nullable ServerVersion version, boolean wakesUp) {
        Set<Capability> can = description.capabilities();
        used.add("scripts by EVALSHA");
        if (wakesUp) {
            wakeUps(can);
        } else {
            lacking.add("wake-ups, so that waiters poll");
        }
        trackKeys(can);
        waitForReplicas(can);
        waitForDisks(can, version);
        return new Finding(
                Level.FINE,
                "features",
                "In use: " + String.join(", ", used) + "."
                        + (lacking.isEmpty() ? "" : " Not available: " + String.join(", ", lacking) + "."),
                "");
    }

    private void wakeUps(Set<Capability> can) {
        boolean cluster = !can.contains(Capability.CALLS_ACROSS_SLOTS);
        if (can.contains(Capability.SHARDED_PUBSUB)) {
            used.add("wake-ups over channels of shards (SPUBLISH)");
        } else {
            used.add(cluster ? "wake-ups through all nodes (PUBLISH)" : "wake-ups by PUBLISH");
            if (cluster) {
                lacking.add("channels of shards (Redis 7.0)");
            }
        }
    }

    private void trackKeys(Set<Capability> can) {
        if (!can.contains(Capability.TRACKS_KEYS)) {
            lacking.add("news of lost locks, so that a holder hears at its next renewal (this adapter receives none)");
            return;
        }
        // The connection that callers use tracks no keys anyway.
        String refusal = refusalOf(List.of("CLIENT", "TRACKING", "OFF"));
        if (refusal.isEmpty()) {
            used.add("news of lost locks (CLIENT TRACKING)");
        } else {
            lacking.add("news of lost locks, so that a holder hears at its next renewal (" + refusal + ")");
        }
    }

    private void waitForReplicas(Set<Capability> can) {
        if (!can.contains(Capability.WAITS_FOR_REPLICAS)) {
            lacking.add("WAIT: this adapter refuses replicas(...)");
            return;
        }
        // WAIT for no replica answers immediately.
        String refusal = refusalOf(List.of("WAIT", "0", "1"));
        if (refusal.isEmpty()) {
            used.add("WAIT for replicas(...)");
        } else {
            lacking.add("WAIT, so that replicas(...) is refused (" + refusal + ")");
        }
    }

    private String refusalOf(List<String> command) {
        try {
            Object unused = queries.command(null, command);
            return "";
        } catch (RedisErrorException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void waitForDisks(Set<Capability> can, @Nullable ServerVersion version) {
        if (can.contains(Capability.WAITS_FOR_DISKS)) {
            used.add("WAITAOF for onDisk(...)");
        } else if (version != null && !version.atLeast(7, 2)) {
            lacking.add("WAITAOF (Redis 7.2): onDisk(...) is refused");
        } else {
            lacking.add("WAITAOF: this adapter refuses onDisk(...)");
        }
    }
}
