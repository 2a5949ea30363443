package dev.leasehold.jedis;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;

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
        if (port == node.port()) {
            return Leasehold.builder().uri(uri);
        }
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .hostAndPortMapper(address -> new HostAndPort(address.getHost(), port));
        JedisCluster client = client(Calls.settings(node.uri()), config, 32);
        closing.accept(client);
        return Leasehold.builder().transport(JedisTransport.over(client));
    }

    /** As applications have it: with a pool for each node, and repeating a command that failed. */
    static JedisCluster client(ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        RedisServer server = RedisServer.of(settings);
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        return new JedisCluster(
                Set.of(new HostAndPort(server.host(), server.port())),
                config.user(server.user())
                        .password(server.password())
                        .clientName(settings.clientName())
                        .build(),
                3,
                pool);
    }
}
