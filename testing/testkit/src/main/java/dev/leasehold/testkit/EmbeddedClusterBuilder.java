package dev.leasehold.testkit;

import java.time.Duration;

/**
 * Configuration of an {@link EmbeddedCluster}. Defaults: three primaries without replicas, nodes with the defaults
 * of {@link EmbeddedRedis#builder()} and one password for all, a node timeout of 2 s. Not thread-safe; can start any number of clusters.
 */
public final class EmbeddedClusterBuilder {

    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);

    private int primaries = 3;
    private int replicas;
    private Duration nodeTimeout = Duration.ofSeconds(2);
    private EmbeddedRedisBuilder settings = EmbeddedRedis.builder();

    EmbeddedClusterBuilder() {}

    /**
     * Sets the number of primaries, which share the slots evenly. Default: 3.
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
     * Sets the number of replicas of each primary. Default: 0.
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
     * Sets {@code cluster-node-timeout}: the time without an answer after which the other nodes consider a node
     * failed. Default: 2 s, where the server's own default is 15 s. Tests should not wait long, and a busy machine
     * should not lose a healthy node.
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
     * Sets the configuration of each node: password, users, TLS, directives. With
     * {@code config("cluster-require-full-coverage", "no")} the other primaries continue to serve after one has
     * failed; by default a server stops serving then.
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
     * Starts the nodes and waits until each one serves and knows the owner of every slot.
     *
     * @throws EmbeddedRedisException if a node does not start, or the cluster does not form within 30 s; the
     *     message contains the node's log, or what every node reports
     */
    public EmbeddedCluster start() {
        ClusterMembership membership = new ClusterMembership(Secrets.password(), nodeTimeout);
        return EmbeddedCluster.start(settings.inCluster(membership), membership, primaries, replicas);
    }
}
