package dev.leasehold.testkit;

import java.time.Duration;

/**
 * How an {@link EmbeddedCluster} is to run. Defaults: three primaries without replicas, nodes with the defaults of
 * {@link EmbeddedRedis#builder()}, a node timeout of 2 s. Not thread-safe; may start any number of clusters.
 */
public final class EmbeddedClusterBuilder {

    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);

    private int primaries = 3;
    private int replicas;
    private Duration nodeTimeout = Duration.ofSeconds(2);
    private EmbeddedRedisBuilder settings = EmbeddedRedis.builder();

    EmbeddedClusterBuilder() {}

    /**
     * Sets the number of primaries, which share the slots evenly; by default 3.
     *
     * @throws IllegalArgumentException if the number is not within 1 to 10
     */
    public EmbeddedClusterBuilder primaries(int value) {
        if (value < 1 || value > 10) {
            throw new IllegalArgumentException("An embedded cluster has 1 to 10 primaries, not " + value);
        }
        this.primaries = value;
        return this;
    }

    /**
     * Sets the number of replicas of each primary; by default 0.
     *
     * @throws IllegalArgumentException if the number is not within 0 to 2
     */
    public EmbeddedClusterBuilder replicas(int value) {
        if (value < 0 || value > 2) {
            throw new IllegalArgumentException("A primary of an embedded cluster has 0 to 2 replicas, not " + value);
        }
        this.replicas = value;
        return this;
    }

    /**
     * Sets {@code cluster-node-timeout}: after how long without an answer the others take a node for failed. By default
     * 2 s, where the server has 15 s: tests should not wait long, and a busy machine should not lose a healthy node.
     *
     * @throws IllegalArgumentException if it is below 100 ms
     */
    public EmbeddedClusterBuilder nodeTimeout(Duration value) {
        if (value.compareTo(SHORTEST_TIMEOUT) < 0) {
            throw new IllegalArgumentException(
                    "A node timeout is at least " + SHORTEST_TIMEOUT.toMillis() + " ms, not " + value);
        }
        this.nodeTimeout = value;
        return this;
    }

    /**
     * Sets how each node is to run: password, users, TLS, directives. With {@code config("cluster-require-full-coverage",
     * "no")} the other primaries go on serving when one has failed; a server's default is that all cease to.
     *
     * @throws IllegalArgumentException if the settings have a port or a directory, which the nodes cannot share
     */
    public EmbeddedClusterBuilder settings(EmbeddedRedisBuilder value) {
        if (value.port() != 0 || value.directory() != null) {
            throw new IllegalArgumentException(
                    "The nodes of a cluster cannot share a port or a directory; leave both out of the settings.");
        }
        this.settings = value;
        return this;
    }

    /**
     * Starts the nodes and waits until every one serves and knows the owner of every slot.
     *
     * @throws EmbeddedRedisException if a node does not come up, or the cluster does not form within 30 s; the message
     *     carries the node's log, or what every node says
     */
    public EmbeddedCluster start() {
        ClusterMembership membership = new ClusterMembership(Secrets.hex(16), nodeTimeout);
        return EmbeddedCluster.start(settings.inCluster(membership), membership, primaries, replicas);
    }
}
