package dev.leasehold.quarkus.internal;

import dev.leasehold.Credentials;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.FailedStart;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.interop.Formats;
import dev.leasehold.quarkus.LeaseholdBuilderCustomizer;
import dev.leasehold.quarkus.LeaseholdRuntimeConfig;
import dev.leasehold.spi.RedisTransport;
import io.quarkus.arc.All;
import io.quarkus.arc.DefaultBean;
import io.quarkus.redis.runtime.client.config.RedisClientConfig;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.TlsConfigurationRegistry;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/** Produces the client of the application and the default options of its locks. */
@Singleton
public final class LeaseholdProducer {

    private final LeaseholdRuntimeConfig config;
    private final RedisConfig redis;

    LeaseholdProducer(LeaseholdRuntimeConfig config, RedisConfig redis) {
        this.config = config;
        this.redis = redis;
    }

    @Produces
    @Singleton
    @DefaultBean
    LockOptions options() {
        return config.lock().options();
    }

    @Produces
    @Singleton
    HeldLeases held() {
        return new HeldLeases();
    }

    @Produces
    @Singleton
    @DefaultBean
    Leasehold leasehold(
            LockOptions defaults,
            TlsConfigurationRegistry tls,
            Instance<RedisTransport> transport,
            Instance<Credentials.Supplier> credentials,
            @All List<LeaseholdListener> listeners,
            @All List<LeaseholdBuilderCustomizer> customizers) {
        LeaseholdBuilder builder = Leasehold.builder()
                .keyPrefix(config.keyPrefix())
                .connectTimeout(config.connectTimeout())
                .commandTimeout(config.commandTimeout())
                .outageTolerance(config.outageTolerance())
                .rememberTokens(config.rememberTokens())
                .preflight(config.preflight())
                .nodeTimeout(config.nodeTimeout())
                .startWithoutRedis(config.startWithoutRedis())
                .shareStacks(config.shareStacks())
                .defaults(defaults);
        config.lock().format().forEach((pattern, format) -> builder.lockFormat(pattern, Formats.parse(format)));
        config.clientName().ifPresent(builder::clientName);
        config.maxLeaseTime().ifPresent(builder::maxLeaseTime);
        config.deadlockCheck().ifPresent(builder::deadlockCheck);
        listeners.forEach(builder::listener);
        if (credentials.isResolvable()) {
            builder.credentials(credentials.get());
        }
        if (config.uri().isPresent()) {
            builder.uri(config.uri().get());
        } else if (config.quorum().isPresent()) {
            builder.quorum(config.quorum().get().toArray(String[]::new));
        } else if (transport.isResolvable()) {
            builder.transport(transport::get);
        } else {
            overQuarkusRedis(builder, tls);
        }
        customizers.forEach(customizer -> customizer.customize(builder));
        try {
            return builder.build();
        } catch (LockUnavailableException e) {
            throw FailedStart.advised(e, "quarkus.leasehold.start-without-redis");
        }
    }

    void close(@Disposes Leasehold leasehold) {
        leasehold.close();
    }

    private void overQuarkusRedis(LeaseholdBuilder builder, TlsConfigurationRegistry tls) {
        String name = config.redisClient();
        RedisClientConfig client = redis.clients().get(name);
        if (client == null) {
            throw new ConfigurationException("quarkus.leasehold.redis-client is '" + name
                    + "', but there is no Redis client of that name. Set quarkus.redis." + name + ".hosts");
        }
        builder.tls(RedisTls.options(client, tls)).uri(new RedisUri(name, client).text());
    }
}
