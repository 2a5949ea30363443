package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks a replica for conditions that would endanger locks if it became the primary. Reports only problems. */
final class ReplicaCheck {

    private final ServerQueries queries;
    private final @Nullable RedisNode node;
    private final String name;
    private final ClockCheck clocks;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * Creates the check without running it.
     *
     * @param node the node among those that the queries reach; null if it is the only one
     */
    ReplicaCheck(ServerQueries queries, @Nullable RedisNode node, String name, ClockCheck clocks) {
        this.queries = queries;
        this.node = node;
        this.name = name;
        this.clocks = clocks;
    }

    List<Finding> run(int clockSamples) {
        try {
            clocks.read(queries, node, name, clockSamples);
            link(queries.info(node, "replication"));
            memory(queries.info(node, "memory"));
            version(queries.info(node, "server"));
        } catch (RedisErrorException e) {
            warn(
                    "cannot be checked: " + e.getMessage(),
                    "Give the user the same rights on replicas: one of them may be the primary tomorrow.");
        }
        return findings;
    }

    private void link(Map<String, String> info) {
        if (!"slave".equals(info.get("role"))) {
            warn(
                    "is no replica but a primary",
                    "Check which server is the primary: two servers may grant the same lock.");
        } else if (!"up".equals(info.get("master_link_status"))) {
            warn(
                    "is not connected to its primary",
                    "Check its log and the network: as a primary it would not know the locks that are held.");
        }
    }

    private void memory(Map<String, String> info) {
        String policy = info.getOrDefault("maxmemory_policy", "noeviction");
        if (!policy.equals("noeviction")) {
            warn(
                    "has maxmemory-policy " + policy
                            + ": as a primary it would delete live locks when memory runs short",
                    "Set maxmemory-policy noeviction there, too.");
        }
    }

    private void version(Map<String, String> info) {
        ServerVersion version = ServerVersion.of(info);
        if (!version.atLeast(6, 2)) {
            warn("is " + version + ", which is too old", "Use Redis 6.2 or Valkey 7.2 or later there, too.");
        }
    }

    private void warn(String what, String remedy) {
        findings.add(new Finding(Level.WARNING, "replica", "The replica " + name + " " + what + ".", remedy));
    }
}
