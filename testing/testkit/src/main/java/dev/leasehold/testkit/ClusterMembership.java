package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings that make a server a node of an embedded cluster.
 *
 * @param adminPassword the password of the testkit's own user: the same on all nodes, so that they can log in to
 *     one another
 * @param nodeTimeout the time without an answer after which a node counts as failed
 */
record ClusterMembership(String adminPassword, Duration nodeTimeout) {

    /** The file among the node's data in which it keeps its cluster configuration. */
    static final String FILE = "nodes.conf";

    private static final int ID_BYTES = 20;

    List<String> directives(boolean tls) {
        List<String> lines = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-config-file " + FILE,
                "cluster-node-timeout " + nodeTimeout.toMillis(),
                "cluster-announce-ip " + RedisInstallation.HOST,
                // A replica is available to a test immediately, not after the 5 s in which other replicas might
                // join the transfer.
                "repl-diskless-sync-delay 0",
                "masteruser " + EmbeddedRedis.ADMIN,
                "masterauth " + adminPassword));
        if (tls) {
            lines.add("tls-cluster yes");
            lines.add("tls-replication yes");
        }
        return lines;
    }

    /**
     * Returns the node's configuration file for its first run: a replica of a primary that has all slots and no
     * address. A server refuses to serve for the first two seconds of its life as a primary, but not as a replica.
     * A replica that already serves keeps serving when it becomes a primary; {@link ClusterFormation} promotes it.
     */
    String firstFile(int port) {
        String absent = Secrets.hex(ID_BYTES);
        return absent + " :0@0 master,noaddr - 0 0 0 disconnected 0-" + (ClusterSlots.COUNT - 1) + "\n"
                + Secrets.hex(ID_BYTES) + " " + RedisInstallation.HOST + ":" + port + "@" + (port + FreePorts.BUS)
                + " myself,slave " + absent + " 0 0 0 connected\n"
                + "vars currentEpoch 0 lastVoteEpoch 0\n";
    }

    @Override
    public String toString() {
        return "ClusterMembership[" + nodeTimeout + "]";
    }
}
