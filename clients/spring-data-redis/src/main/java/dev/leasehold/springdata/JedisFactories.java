package dev.leasehold.springdata;

import dev.leasehold.jedis.JedisTransport;
import dev.leasehold.spi.RedisTransport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** Reads the settings of a {@code JedisConnectionFactory}. */
final class JedisFactories {

    private JedisFactories() {}

    static RedisTransport transport(RedisConnectionFactory factory) {
        JedisConnectionFactory lent = (JedisConnectionFactory) factory;
        RedisSentinelConfiguration sentinels = lent.getSentinelConfiguration();
        if (sentinels != null) {
            return JedisTransport.create(
                    addresses(sentinels.getSentinels()),
                    SpringDataTransport.primaryName(sentinels),
                    config(lent, sentinels.getSentinelUsername(), sentinels.getSentinelPassword(), 0),
                    config(lent, sentinels.getUsername(), sentinels.getPassword(), sentinels.getDatabase()));
        }
        RedisClusterConfiguration cluster = lent.getClusterConfiguration();
        if (cluster != null) {
            return JedisTransport.create(
                    addresses(cluster.getClusterNodes()),
                    config(lent, cluster.getUsername(), cluster.getPassword(), 0));
        }
        RedisStandaloneConfiguration server = Objects.requireNonNull(lent.getStandaloneConfiguration());
        return JedisTransport.create(
                List.of(new HostAndPort(server.getHostName(), server.getPort())),
                config(lent, server.getUsername(), server.getPassword(), server.getDatabase()));
    }

    private static List<HostAndPort> addresses(Collection<RedisNode> nodes) {
        return nodes.stream()
                .map(node ->
                        new HostAndPort(Objects.requireNonNull(node.getHost()), Objects.requireNonNull(node.getPort())))
                .toList();
    }

    /** Jedis counts milliseconds in 31 bits. */
    private static int millis(Duration timeout) {
        return (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
    }

    private static JedisClientConfig config(
            JedisConnectionFactory lent, @Nullable String user, RedisPassword password, int database) {
        JedisClientConfiguration settings = lent.getClientConfiguration();
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .connectionTimeoutMillis(millis(settings.getConnectTimeout()))
                .socketTimeoutMillis(millis(settings.getReadTimeout()))
                .user(SpringDataTransport.nonEmpty(user))
                .database(database)
                .ssl(settings.isUseSsl());
        password.toOptional().ifPresent(secret -> config.password(String.valueOf(secret)));
        settings.getClientName().ifPresent(config::clientName);
        settings.getSslSocketFactory().ifPresent(config::sslSocketFactory);
        settings.getSslParameters().ifPresent(config::sslParameters);
        settings.getHostnameVerifier().ifPresent(config::hostnameVerifier);
        return config.build();
    }
}
