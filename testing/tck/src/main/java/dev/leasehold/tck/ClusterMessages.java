package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedCluster;

/** What the nodes of a cluster tell one another. */
public final class ClusterMessages {

    private ClusterMessages() {}

    /**
     * Returns how many messages the nodes sent one another for PUBLISH.
     *
     * @param cluster whose nodes are asked
     * @return the sum of all nodes
     */
    public static long broadcasts(EmbeddedCluster cluster) {
        String field = "cluster_stats_messages_publish_sent:";
        return cluster.nodes().stream()
                .flatMap(node -> String.valueOf(node.command("CLUSTER", "INFO")).lines())
                .filter(line -> line.startsWith(field))
                .mapToLong(line -> Long.parseLong(line.substring(field.length()).strip()))
                .sum();
    }
}
