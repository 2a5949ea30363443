package dev.leasehold.springdata;

import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.Pool;

/**
 * The connection settings of the application's factory. A factory itself, since only factories can read their settings;
 * but one that is never started, and so has no pool of connections and no client.
 */
@SuppressWarnings({"deprecation", "serial"})
final class JedisSettings extends JedisConnectionFactory {

    private final boolean sentinel;
    private final ReentrantLock lock = new ReentrantLock();

    /**
     * The factory that follows the primary; created with the first connection, guarded by the lock, like the next
     * field.
     */
    private @Nullable Pool<Jedis> follower;

    private boolean ended;

    private JedisSettings(RedisStandaloneConfiguration server, JedisConnectionFactory lent) {
        super(server, lent.getClientConfiguration());
        sentinel = false;
    }

    private JedisSettings(RedisSentinelConfiguration servers, JedisConnectionFactory lent) {
        super(servers, lent.getClientConfiguration());
        sentinel = true;
    }

    static JedisSettings of(RedisStandaloneConfiguration server, JedisConnectionFactory lent) {
        return new JedisSettings(server, lent).ready();
    }

    static JedisSettings of(RedisSentinelConfiguration servers, JedisConnectionFactory lent) {
        return new JedisSettings(servers, lent).ready();
    }

    private JedisSettings ready() {
        setEarlyStartup(false);
        afterPropertiesSet();
        return this;
    }

    /** A connection of its own, whose timeouts are those of the settings. */
    Jedis connect() {
        return sentinel ? follower().getResource() : fetchJedisConnector();
    }

    private Pool<Jedis> follower() {
        lock.lock();
        try {
            if (ended) {
                throw new IllegalStateException("closed");
            }
            RedisSentinelConfiguration servers = getSentinelConfiguration();
            if (follower == null && servers != null) {
                follower = createRedisSentinelPool(servers);
            }
            if (follower == null) {
                throw new IllegalStateException("no Sentinel");
            }
            return follower;
        } finally {
            lock.unlock();
        }
    }

    /** It keeps no connection and refuses none: how many there are is not its affair. */
    @Override
    public <T> GenericObjectPoolConfig<T> getPoolConfig() {
        GenericObjectPoolConfig<T> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(-1);
        config.setMaxIdle(0);
        config.setMinIdle(0);
        config.setJmxEnabled(false);
        return config;
    }

    void end() {
        Pool<Jedis> last;
        lock.lock();
        try {
            ended = true;
            last = follower;
            follower = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
