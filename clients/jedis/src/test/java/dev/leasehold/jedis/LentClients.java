package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisCluster;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Clients as applications have them: with a pool, and repeating a command that failed. */
final class LentClients implements AutoCloseable {

    private final List<UnifiedJedis> clients = new ArrayList<>();

    UnifiedJedis client(ConnectionSettings settings) {
        return client(settings, DefaultJedisClientConfig.builder(), 8);
    }

    UnifiedJedis client(ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        UnifiedJedis client = create(settings, config, connections);
        clients.add(client);
        return client;
    }

    static UnifiedJedis create(ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        return new UnifiedJedis(provider(settings, config, connections), 3, Duration.ofSeconds(5));
    }

    private static PooledConnectionProvider provider(
            ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        RedisServer server = RedisServer.of(settings);
        return new PooledConnectionProvider(
                new HostAndPort(server.host(), server.port()),
                config.user(server.user())
                        .password(server.password())
                        .database(server.database())
                        .clientName(settings.clientName())
                        .build(),
                pool(connections));
    }

    /** Of a cluster: with a pool for each node. */
    static JedisCluster ofCluster(ConnectionSettings settings, int connections) {
        RedisServer server = RedisServer.of(settings);
        return new JedisCluster(
                Set.of(new HostAndPort(server.host(), server.port())),
                DefaultJedisClientConfig.builder()
                        .user(server.user())
                        .password(server.password())
                        .clientName(settings.clientName())
                        .build(),
                3,
                pool(connections));
    }

    private static GenericObjectPoolConfig<Connection> pool(int connections) {
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        return pool;
    }

    @Override
    public void close() {
        clients.forEach(UnifiedJedis::close);
        clients.clear();
    }
}
