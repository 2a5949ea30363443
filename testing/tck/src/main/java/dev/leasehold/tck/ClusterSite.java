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

    /** What the node announces, and all nodes know: its own port, or that of the proxy before it. */
    private int announced;

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
        announced = server.port();
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
        announce(URI.create(uri).getPort());
        return uri;
    }

    /** Returns when all nodes know it: a client may ask any of them, and would be led past the proxy, or to one that is gone. */
    private void announce(int port) {
        if (port != announced) {
            announced = port;
            server.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(port));
            String known = port + ", " + server.command("CLUSTER", "MYID");
            await().atMost(TransportCalls.LIMIT)
                    .until(() -> cluster.nodes().stream()
                            .allMatch(node -> String.valueOf(node.command("CLUSTER", "SLOTS"))
                                    .contains(known)));
        }
    }

    @Override
    public boolean keeps(String key) {
        return cluster.slotOf(key) < SLOTS / primaries;
    }

    @Override
    public void restore() {
        Site.super.restore();
        deleteAll();
        announce(server.port());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
