package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;

/** Three primaries with a replica each. The locks of the contract are on the first. */
final class ClusterSite implements Site {

    private static final int SLOTS = 16_384;
    private static final int PRIMARIES = 3;

    private final EmbeddedCluster cluster;
    private final EmbeddedRedis server;

    ClusterSite(EmbeddedRedisBuilder settings) {
        cluster = EmbeddedCluster.builder()
                .primaries(PRIMARIES)
                .replicas(1)
                .settings(settings)
                .start();
        server = cluster.nodes().get(0);
    }

    /** Returns the only node of a cluster of one: it has all keys. */
    static EmbeddedRedis ofOne(EmbeddedRedisBuilder settings) {
        return EmbeddedCluster.builder()
                .primaries(1)
                .settings(settings)
                .start()
                .nodes()
                .get(0);
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    /** Makes the node announce the proxy: by default it announces itself. */
    @Override
    public String uri(String uri) {
        announce(URI.create(uri).getPort());
        return uri;
    }

    private void announce(int port) {
        server.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(port));
    }

    @Override
    public boolean keeps(String key) {
        return cluster.slotOf(key) < SLOTS / PRIMARIES;
    }

    @Override
    public void restore() {
        Site.super.restore();
        announce(server.port());
    }

    @Override
    public void close() {
        cluster.close();
    }
}
