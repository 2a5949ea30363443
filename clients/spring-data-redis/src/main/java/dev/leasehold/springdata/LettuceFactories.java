package dev.leasehold.springdata;

import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisTransport;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/** Reads the settings of a {@code LettuceConnectionFactory}. */
final class LettuceFactories {

    private LettuceFactories() {}

    static RedisTransport transport(RedisConnectionFactory factory) {
        LettuceConnectionFactory lent = (LettuceConnectionFactory) factory;
        refuseFixedList(lent);
        AbstractRedisClient client = client(lent);
        return client instanceof RedisClusterClient cluster
                ? LettuceTransport.over(cluster)
                : LettuceTransport.create(client.getResources(), client.getOptions(), uri(lent));
    }

    private static AbstractRedisClient client(LettuceConnectionFactory lent) {
        try {
            return lent.getRequiredNativeClient();
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "The given LettuceConnectionFactory was not started, or has been closed: call afterPropertiesSet() and "
                            + "start() before it is passed to Leasehold, as a Spring context does",
                    e);
        }
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

    private static RedisURI uri(LettuceConnectionFactory lent) {
        RedisSentinelConfiguration sentinels = lent.getSentinelConfiguration();
        if (sentinels != null) {
            return uri(lent, sentinels);
        }
        RedisSocketConfiguration socket = lent.getSocketConfiguration();
        if (socket != null) {
            RedisURI uri = RedisURI.Builder.socket(socket.getSocket()).build();
            authenticate(uri, lent, socket, socket.getUsername(), socket.getPassword());
            return with(uri, lent);
        }
        RedisStandaloneConfiguration server = lent.getStandaloneConfiguration();
        RedisURI uri = RedisURI.create(server.getHostName(), server.getPort());
        authenticate(uri, lent, server, server.getUsername(), server.getPassword());
        return with(uri, lent);
    }

    private static RedisURI uri(LettuceConnectionFactory lent, RedisSentinelConfiguration sentinels) {
        String primaryName = SpringDataTransport.primaryName(sentinels);
        RedisURI uri = LettuceConverters.sentinelConfigurationToRedisURI(sentinels);
        uri.setSentinelMasterId(primaryName);
        lent.getClientConfiguration().getRedisCredentialsProviderFactory().ifPresent(credentials -> {
            uri.setCredentialsProvider(credentials.createCredentialsProvider(sentinels));
            uri.getSentinels()
                    .forEach(each ->
                            each.setCredentialsProvider(credentials.createSentinelCredentialsProvider(sentinels)));
        });
        uri.getSentinels().forEach(each -> apply(each, lent.getClientConfiguration()));
        return with(uri, lent);
    }

    private static void authenticate(
            RedisURI uri,
            LettuceConnectionFactory lent,
            RedisConfiguration configuration,
            @Nullable String user,
            RedisPassword password) {
        lent.getClientConfiguration()
                .getRedisCredentialsProviderFactory()
                .ifPresentOrElse(
                        credentials -> uri.setCredentialsProvider(credentials.createCredentialsProvider(configuration)),
                        () -> password.toOptional()
                                .ifPresent(secret -> uri.setCredentialsProvider(
                                        new StaticCredentialsProvider(SpringDataTransport.nonEmpty(user), secret))));
    }

    private static RedisURI with(RedisURI uri, LettuceConnectionFactory lent) {
        apply(uri, lent.getClientConfiguration());
        uri.setDatabase(lent.getDatabase());
        return uri;
    }

    private static void apply(RedisURI uri, LettuceClientConfiguration settings) {
        settings.getClientName().ifPresent(uri::setClientName);
        uri.setSsl(settings.isUseSsl());
        uri.setVerifyPeer(settings.getVerifyMode());
        uri.setStartTls(settings.isStartTls());
        uri.setTimeout(settings.getCommandTimeout());
    }
}
