package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Clients as applications have them: with a pool, and repeating a command that failed. */
final class LentClients implements AutoCloseable {

    private final List<UnifiedJedis> clients = new ArrayList<>();

    UnifiedJedis client(ConnectionSettings settings) {
        return client(settings, DefaultJedisClientConfig.builder(), 8);
    }

    UnifiedJedis client(ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        PooledConnectionProvider provider = provider(settings, config, connections);
        UnifiedJedis client = new UnifiedJedis(provider, 3, Duration.ofSeconds(5));
        clients.add(client);
        return client;
    }

    private static PooledConnectionProvider provider(
            ConnectionSettings settings, DefaultJedisClientConfig.Builder config, int connections) {
        Server server = Server.of(settings);
        GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        return new PooledConnectionProvider(
                new HostAndPort(server.host(), server.port()),
                config.user(server.user())
                        .password(server.password())
                        .database(server.database())
                        .clientName(settings.clientName())
                        .build(),
                pool);
    }

    @Override
    public void close() {
        clients.forEach(UnifiedJedis::close);
        clients.clear();
    }
}
