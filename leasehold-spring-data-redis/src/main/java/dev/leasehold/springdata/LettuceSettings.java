package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * The connection settings of the application's factory. A factory itself, since only factories can read their settings;
 * but one that is never started. Of the settings it changes what would send a command twice, read from a replica, or
 * wait longer than the caller.
 */
final class LettuceSettings extends LettuceConnectionFactory {

    private final String address;
    private final @Nullable RedisNode server;

    private LettuceSettings(
            RedisConfiguration servers, LettuceClientConfiguration client, String address, @Nullable RedisNode server) {
        super(servers, client);
        this.address = address;
        this.server = server;
    }

    static LettuceSettings of(LettuceConnectionFactory lent) {
        refuseFixedList(lent);
        boolean cluster = lent.isClusterAware();
        LettuceClientConfiguration client = new Careful(lent.getClientConfiguration(), resources(lent), cluster);
        RedisClusterConfiguration nodes = lent.getClusterConfiguration();
        if (nodes != null) {
            return new LettuceSettings(nodes, client, "the cluster of " + nodes.getClusterNodes(), null);
        }
        RedisSentinelConfiguration sentinel = lent.getSentinelConfiguration();
        if (sentinel != null) {
            String name = sentinel.getMaster() == null
                    ? "?"
                    : String.valueOf(sentinel.getMaster().getName());
            return new LettuceSettings(sentinel, client, "the primary that Sentinel calls " + name, null);
        }
        RedisSocketConfiguration socket = lent.getSocketConfiguration();
        if (socket != null) {
            return new LettuceSettings(socket, client, socket.getSocket(), new RedisNode(socket.getSocket(), 0, true));
        }
        RedisStandaloneConfiguration one = lent.getStandaloneConfiguration();
        RedisNode server = new RedisNode(one.getHostName(), one.getPort(), true);
        return new LettuceSettings(one, client, server.toString(), server);
    }

    /** Asked for a single server, such a factory names one that it does not lead to. */
    private static void refuseFixedList(LettuceConnectionFactory lent) {
        Object configuration;
        try {
            configuration = new DirectFieldAccessor(lent).getPropertyValue("configuration");
        } catch (BeansException e) {
            // Another version of Spring Data Redis keeps it elsewhere.
            return;
        }
        if (configuration != null
                && configuration.getClass().getSimpleName().equals("RedisStaticMasterReplicaConfiguration")) {
            throw new IllegalArgumentException(
                    "The given LettuceConnectionFactory has a fixed list of a primary and its "
                            + "replicas, and does not tell which of them is the primary: pass one that is made of a "
                            + "RedisStandaloneConfiguration for the primary, or of a RedisSentinelConfiguration");
        }
    }

    private static ClientResources resources(LettuceConnectionFactory lent) {
        try {
            return lent.getRequiredNativeClient().getResources();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "The given LettuceConnectionFactory was not started, or has been closed: call afterPropertiesSet() and "
                            + "start() before it is passed to Leasehold, as a Spring context does",
                    e);
        }
    }

    String address() {
        return address;
    }

    /** The server, if there is only one and it is known. */
    @Nullable
    RedisNode server() {
        return server;
    }

    AbstractRedisClient client() {
        return createClient();
    }

    LettuceConnectionProvider provider(AbstractRedisClient client, RedisCodec<?, ?> codec) {
        return doCreateConnectionProvider(client, codec);
    }

    /** The lent settings, apart from what a lock cannot bear. */
    private static final class Careful implements LettuceClientConfiguration {

        private static final Duration REFRESH = Duration.ofSeconds(30);

        private final LettuceClientConfiguration lent;
        private final ClientResources resources;
        private final boolean cluster;

        Careful(LettuceClientConfiguration lent, ClientResources resources, boolean cluster) {
            this.lent = lent;
            this.resources = resources;
            this.cluster = cluster;
        }

        @Override
        public Optional<ClientOptions> getClientOptions() {
            ClientOptions options = lent.getClientOptions().orElseGet(ClientOptions::create);
            return Optional.of(
                    cluster ? ofCluster(options) : atMostOnce(options.mutate()).build());
        }

        // Lettuce 7 pulls all triggers by itself, older versions none.
        @SuppressWarnings("deprecation")
        private static ClusterClientOptions ofCluster(ClientOptions options) {
            ClusterClientOptions cluster = options instanceof ClusterClientOptions already
                    ? already
                    : ClusterClientOptions.builder(options).build();
            ClusterClientOptions.Builder builder = cluster.mutate();
            atMostOnce(builder);
            if (!cluster.isRefreshClusterView()) {
                builder.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(REFRESH)
                        .enableAdaptiveRefreshTrigger(RefreshTrigger.values())
                        .build());
            }
            return builder.build();
        }

        private static ClientOptions.Builder atMostOnce(ClientOptions.Builder options) {
            options.autoReconnect(false)
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .publishOnScheduler(false)
                    // The caller owns the timeout.
                    .timeoutOptions(TimeoutOptions.create());
            try {
                // These would carry commands over to another connection.
                options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
            } catch (LinkageError e) {
                // Lettuce before 7 knows none.
                return options;
            }
            return options;
        }

        /** Locks live on primaries. */
        @Override
        public Optional<ReadFrom> getReadFrom() {
            return Optional.empty();
        }

        @Override
        public Optional<ClientResources> getClientResources() {
            return Optional.of(resources);
        }

        @Override
        public boolean isUseSsl() {
            return lent.isUseSsl();
        }

        @Override
        @SuppressWarnings("deprecation")
        public boolean isVerifyPeer() {
            return lent.isVerifyPeer();
        }

        @Override
        public SslVerifyMode getVerifyMode() {
            return lent.getVerifyMode();
        }

        @Override
        public boolean isStartTls() {
            return lent.isStartTls();
        }

        @Override
        public Optional<String> getClientName() {
            return lent.getClientName();
        }

        @Override
        public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
            return lent.getRedisCredentialsProviderFactory();
        }

        @Override
        public Duration getCommandTimeout() {
            return lent.getCommandTimeout();
        }

        @Override
        public Duration getShutdownTimeout() {
            return Duration.ZERO;
        }

        @Override
        public Duration getShutdownQuietPeriod() {
            return Duration.ZERO;
        }
    }
}
