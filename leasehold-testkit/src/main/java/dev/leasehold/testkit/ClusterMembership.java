package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What makes a server a node of an embedded cluster.
 *
 * @param adminPassword of the testkit's own user: the same on all nodes, so that they can log in to one another
 * @param nodeTimeout after how long without an answer a node counts as failed
 */
record ClusterMembership(String adminPassword, Duration nodeTimeout) {

    /** The file, among the node's data, in which it keeps its place in the cluster. */
    static final String FILE = "nodes.conf";

    private static final int ID_BYTES = 20;

    List<String> directives(boolean tls) {
        List<String> lines = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-config-file " + FILE,
                "cluster-node-timeout " + nodeTimeout.toMillis(),
                "cluster-announce-ip " + RedisInstallation.HOST,
                // A replica is there for a test at once, not after the 5 s in which others might join the transfer.
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
     * The node's file for its first run: the replica of a primary that has all slots and no address. A server refuses
     * to serve for the first two seconds of its life as a primary, but not as a replica; one that serves already and
     * is made a primary then goes on serving. {@link ClusterFormation} does that.
     */
    String firstFile(int port) {
        String nobody = Secrets.hex(ID_BYTES);
        return nobody + " :0@0 master,noaddr - 0 0 0 disconnected 0-" + (ClusterSlots.COUNT - 1) + "\n"
                + Secrets.hex(ID_BYTES) + " " + RedisInstallation.HOST + ":" + port + "@" + (port + FreePorts.BUS)
                + " myself,slave " + nobody + " 0 0 0 connected\n"
                + "vars currentEpoch 0 lastVoteEpoch 0\n";
    }
}
