package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisTransport;
import java.lang.reflect.Proxy;
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
        PooledConnectionProvider provider = provider(settings, config, connections);
        UnifiedJedis client = new UnifiedJedis(provider, 3, Duration.ofSeconds(5));
        clients.add(client);
        return client;
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

    /** Ends its client with itself, where a contract asks for connections that are gone. */
    RedisTransport closedWith(ConnectionSettings settings) {
        return closedWith(client(settings));
    }

    /** The same with a client of a cluster. */
    RedisTransport ofClusterClosedWith(ConnectionSettings settings) {
        UnifiedJedis client = ofCluster(settings, 8);
        clients.add(client);
        return closedWith(client);
    }

    private RedisTransport closedWith(UnifiedJedis client) {
        RedisTransport transport = JedisTransport.over(client);
        return (RedisTransport) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisTransport.class}, (self, method, arguments) -> {
                    Object answer = method.invoke(transport, arguments);
                    if (method.getName().equals("close")) {
                        client.close();
                    }
                    return answer;
                });
    }

    @Override
    public void close() {
        clients.forEach(UnifiedJedis::close);
        clients.clear();
    }
}
