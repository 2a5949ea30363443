package dev.leasehold.springdata;

import dev.leasehold.jedis.JedisTransport;
import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.core.RedisTemplate;

/**
 * Leasehold over Spring Data Redis 3.5 or later: {@link LettuceTransport} or {@link JedisTransport}, by the settings of the
 * connection factory that the application has.
 *
 * <p>Leasehold reads from the factory where the servers are and how to connect, and opens connections of its own, apart from
 * the factory's own connection and its pool: so neither waits for the other, and no command is sent twice, whatever the
 * factory does with its own. With Lettuce the connections run on the threads of the factory's client. The factory is never
 * changed, started or closed; if the application closes it, that comes after Leasehold.
 */
public final class SpringDataTransport {

    private static final String PACKAGE = "org.springframework.data.redis.connection.";

    private SpringDataTransport() {}

    /**
     * Connects to where a factory leads, by its settings: servers, Sentinels or cluster, user, password, database, TLS,
     * client name, timeout to connect.
     *
     * @param factory a {@code LettuceConnectionFactory} that was started, or a {@code JedisConnectionFactory}
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if it is another factory, or one of Lettuce's that was not started, or that leads to
     *     a fixed list of primary and replicas
     */
    public static RedisTransport over(RedisConnectionFactory factory) {
        // By name: only the client that the application has is on its class path, and classes of the other must not be
        // loaded.
        for (Class<?> type = Objects.requireNonNull(factory, "factory").getClass();
                type != null;
                type = type.getSuperclass()) {
            if (type.getName().equals(PACKAGE + "lettuce.LettuceConnectionFactory")) {
                return LettuceFactories.transport(factory);
            }
            if (type.getName().equals(PACKAGE + "jedis.JedisConnectionFactory")) {
                return JedisFactories.transport(factory);
            }
        }
        throw new IllegalArgumentException("The given connection factory is a "
                + factory.getClass().getName() + ", whose settings Leasehold cannot read: pass a "
                + "LettuceConnectionFactory or a JedisConnectionFactory, not what is wrapped around one, or hand another "
                + "transport to Leasehold.builder().transport(...)");
    }

    /**
     * Connects by the connection factory of a template, {@code StringRedisTemplate} or any other, else as
     * {@link #over(RedisConnectionFactory)}. The template's serializers are not used: keys and values of locks are plain
     * UTF-8.
     *
     * @param template which has its connection factory
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the template has no connection factory, or one that is refused
     */
    public static RedisTransport over(RedisTemplate<?, ?> template) {
        RedisConnectionFactory factory = template.getConnectionFactory();
        if (factory == null) {
            throw new IllegalArgumentException(
                    "The given template has no connection factory: call setConnectionFactory() before it is passed to Leasehold");
        }
        return over(factory);
    }

    /** Returns the name by which Sentinels know the primary. */
    static String primaryName(RedisSentinelConfiguration sentinels) {
        NamedNode primary = sentinels.getMaster();
        if (primary == null || primary.getName() == null) {
            throw new IllegalArgumentException(
                    "The given factory names sentinels, and no primary: call master(name) of its "
                            + "RedisSentinelConfiguration with the name that they know it by");
        }
        return primary.getName();
    }

    /** Returns the name of a user; null also for an empty one, which stands for the default user. */
    static @Nullable String nonEmpty(@Nullable String user) {
        return user == null || user.isEmpty() ? null : user;
    }
}
