package dev.leasehold.lettuce;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a contract on a cluster of one primary: one server has all keys, as the contract expects, and clients treat it as
 * a cluster. Without a proxy they connect by its URI. With a proxy they use a lent client that takes the proxy for the
 * node, since a node names itself and never the proxy.
 */
final class ClusterOfOne {

    private ClusterOfOne() {}

    static EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return EmbeddedCluster.builder()
                .primaries(1)
                .settings(settings)
                .start()
                .nodes()
                .get(0);
    }

    /** A builder for a client of this node, or of a proxy before it; what is opened for that is handed to closing. */
    static LeaseholdBuilder builder(String uri, EmbeddedRedis node, Consumer<AutoCloseable> closing) {
        int port = URI.create(uri).getPort();
        return port == node.port()
                ? Leasehold.builder().uri(uri)
                : Leasehold.builder().transport(LettuceTransport.over(client(node, port, closing)));
    }

    private static RedisClusterClient client(EmbeddedRedis node, int proxy, Consumer<AutoCloseable> closing) {
        ClientResources resources = DefaultClientResources.builder()
                .socketAddressResolver(MappingSocketAddressResolver.create(
                        DnsResolvers.UNRESOLVED, address -> HostAndPort.of(address.getHostText(), proxy)))
                .build();
        closing.accept(() -> resources.shutdown(0, 2, TimeUnit.SECONDS).get());
        RedisClusterClient client = RedisClusterClient.create(resources, RedisURI.create(node.uri()));
        closing.accept(client);
        return client;
    }
}
