package dev.leasehold.tck;

import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import java.util.List;

/** Primaries, by default three with a replica each. The locks of the contract are on the first. */
final class ClusterSite implements Site {

    private static final int SLOTS = 16_384;

    private final int primaries;
    private final EmbeddedCluster cluster;
    private final EmbeddedRedis server;

    /** Whether it has announced a proxy since it was last restored. */
    private boolean proxied;

    ClusterSite(EmbeddedRedisBuilder settings) {
        this(settings, 3, 1);
    }

    private ClusterSite(EmbeddedRedisBuilder settings, int primaries, int replicas) {
        this.primaries = primaries;
        cluster = EmbeddedCluster.builder()
                .primaries(primaries)
                .replicas(replicas)
                .settings(settings)
                .start();
        server = cluster.nodes().get(0);
    }

    /** Starts a cluster of one node, which has all keys. */
    static ClusterSite ofOne(EmbeddedRedisBuilder settings) {
        return new ClusterSite(settings, 1, 0);
    }

    @Override
    public Topology topology() {
        return Topology.CLUSTER;
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public List<EmbeddedRedis> servers(String key) {
        return List.of(keeps(key) ? server : cluster.nodeOf(key));
    }

    @Override
    public List<EmbeddedRedis> nodes() {
        return cluster.nodes();
    }

    @Override
    public void deleteAll() {
        cluster.primaries().forEach(primary -> primary.command("FLUSHALL"));
    }

    /** Makes the node announce the proxy: by default it announces itself. */
    @Override
    public String uri(String uri) {
        int port = URI.create(uri).getPort();
        proxied |= port != server.port();
        announce(port);
        return uri;
    }

    private void announce(int port) {
        server.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(port));
    }

    @Override
    public boolean keeps(String key) {
        return cluster.slotOf(key) < SLOTS / primaries;
    }

    @Override
    public void restore() {
        Site.super.restore();
        deleteAll();
        if (proxied) {
            proxied = false;
            announce(server.port());
            // Otherwise a client that asks another node would be led to a proxy that is gone.
            await().atMost(TransportCalls.LIMIT)
                    .until(() -> cluster.nodes().stream().allMatch(this::knowsServer));
        }
    }

    private boolean knowsServer(EmbeddedRedis node) {
        return String.valueOf(node.command("CLUSTER", "SLOTS"))
                .contains(server.port() + ", " + server.command("CLUSTER", "MYID"));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
