package dev.leasehold.springdata;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.tck.ContractWay;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.HashSet;
import java.util.Set;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories as applications have them: repeating a command that failed, and with timeouts of a minute. */
final class LentFactories {

    /** Shared by all tests and never ended, for making and ending threads takes longer than most of them. */
    static final ClientResources THREADS = DefaultClientResources.create();

    private LentFactories() {}

    static LettuceConnectionFactory lettuce(ConnectionSettings settings) {
        LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        if (settings.uri().getScheme().equals("rediss")) {
            client.useSsl().disablePeerVerification();
        }
        return started(new LettuceConnectionFactory(
                server(settings),
                client.clientName(settings.clientName())
                        .clientResources(THREADS)
                        .clientOptions(ClientOptions.builder()
                                .socketOptions(SocketOptions.builder()
                                        .connectTimeout(settings.connectTimeout())
                                        .build())
                                .build())
                        .build()));
    }

    /**
     * Connects over a factory with the settings that lead to these servers, as an application has them. Only the transport
     * connects, within its own time: a factory that is asked for a connection over Lettuce waits without a limit.
     */
    static RedisTransport connected(ConnectionSettings settings) {
        if (RedisSentinels.areNamedIn(settings.uri())) {
            return closedWith(sentinels(settings));
        }
        return closedWith(lettuce(settings));
    }

    private static LettuceConnectionFactory sentinels(ConnectionSettings settings) {
        RedisSentinels named = RedisSentinels.of(settings);
        RedisSentinelConfiguration servers = new RedisSentinelConfiguration().master(named.primaryName());
        named.sentinels().forEach(each -> servers.sentinel(each.host(), each.port()));
        return started(new LettuceConnectionFactory(
                servers,
                LettuceClientConfiguration.builder()
                        .clientName(settings.clientName())
                        .clientResources(THREADS)
                        .build()));
    }

    static JedisConnectionFactory jedis(ConnectionSettings settings) {
        JedisConnectionFactory factory = new JedisConnectionFactory(
                server(settings),
                JedisClientConfiguration.builder()
                        .clientName(settings.clientName())
                        .usePooling()
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private static RedisStandaloneConfiguration server(ConnectionSettings settings) {
        RedisServer server = RedisServer.of(settings);
        RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration(server.host(), server.port());
        standalone.setDatabase(server.database());
        if (server.user() != null) {
            standalone.setUsername(server.user());
        }
        if (server.password() != null) {
            standalone.setPassword(server.password());
        }
        return standalone;
    }

    static LettuceConnectionFactory cluster(RedisClusterConfiguration nodes) {
        return started(new LettuceConnectionFactory(
                nodes,
                LettuceClientConfiguration.builder().clientResources(THREADS).build()));
    }

    private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    /** A transport that ends its factory with itself, where a contract asks for connections that are gone. */
    static <F extends RedisConnectionFactory & DisposableBean> RedisTransport closedWith(F factory) {
        return ContractWay.lent(factory, SpringDataTransport::over, LentFactories::end);
    }

    static void end(DisposableBean factory) {
        try {
            factory.destroy();
        } catch (Exception e) {
            throw new AssertionError("a factory did not end", e);
        }
    }

    /** Returns the threads that transports have now, and not the servers of the tests. */
    static Set<Thread> threadsOfTransports() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread ->
                !thread.getName().startsWith("leasehold-") || thread.getName().startsWith("leasehold-testkit"));
        return threads;
    }
}
