package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** Connections of Jedis', by the settings of a {@code JedisConnectionFactory}. */
final class JedisWires implements Wires {

    private final JedisSettings settings;
    private final String address;
    private final @Nullable RedisNode server;
    private volatile boolean closed;

    private JedisWires(JedisSettings settings, String address, @Nullable RedisNode server) {
        this.settings = settings;
        this.address = address;
        this.server = server;
    }

    static Wires of(RedisConnectionFactory lent) {
        JedisConnectionFactory factory = (JedisConnectionFactory) lent;
        if (factory.isRedisClusterAware()) {
            throw new IllegalArgumentException("The given JedisConnectionFactory leads to a Redis Cluster, where Jedis "
                    + "repeats commands by itself and beyond the caller's time: pass a LettuceConnectionFactory");
        }
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            String name = sentinel.getMaster() == null
                    ? "?"
                    : String.valueOf(sentinel.getMaster().getName());
            return new JedisWires(JedisSettings.of(sentinel, factory), "the primary that Sentinel calls " + name, null);
        }
        RedisStandaloneConfiguration one = Objects.requireNonNull(factory.getStandaloneConfiguration());
        RedisNode server = new RedisNode(one.getHostName(), one.getPort(), true);
        return new JedisWires(JedisSettings.of(one, factory), server.toString(), server);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public @Nullable RedisNode server() {
        return server;
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public List<RedisNode> nodes(long timeoutNanos) {
        throw new IllegalStateException("no cluster");
    }

    @Override
    public Wire open(long timeoutNanos) {
        return new JedisWire(connect(timeoutNanos), address);
    }

    @Override
    public PubSubConnection openPubSub(long timeoutNanos) {
        return new JedisPubSubConnection(connect(timeoutNanos), address);
    }

    private Jedis connect(long timeoutNanos) {
        if (closed) {
            throw Failures.closed(address);
        }
        if (timeoutNanos <= 0) {
            throw new TransportException(
                    "no connection to Redis at " + address + ": no time was left to open one", false, null);
        }
        Jedis made;
        try {
            made = settings.connect();
        } catch (RuntimeException e) {
            throw Failures.unsent(e, JedisDataException.class, address);
        }
        if (closed) {
            JedisWire.end(made);
            throw Failures.closed(address);
        }
        return made;
    }

    @Override
    public void close() {
        closed = true;
        settings.end();
    }
}
