package dev.leasehold.spring.boot;

import dev.leasehold.Credentials;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.annotation.LeaseholdHealth;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.interop.Formats;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spring.EnableLocks;
import dev.leasehold.springdata.SpringDataTransport;
import java.util.function.Supplier;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Auto-configuration of a {@link Leasehold} bean with the application's own connection to Redis or by
 * {@code leasehold.uri}, of the annotation {@link dev.leasehold.annotation.Lock}, and of a graceful shutdown. It backs off
 * if the application has a {@link Leasehold} bean; {@code leasehold.enabled=false} switches it off.
 */
@AutoConfiguration(
        afterName = {
            // Its names in Boot 4 and in Boot 3.
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass(Leasehold.class)
@ConditionalOnProperty(prefix = "leasehold", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdAutoConfiguration {

    LeaseholdAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LockOptions leaseholdLockOptions(LeaseholdProperties properties) {
        return properties.lock().options();
    }

    @Bean
    HeldLeases leaseholdHeldLeases() {
        return new HeldLeases();
    }

    @Bean
    LeaseholdHealth leaseholdHealth(Leasehold leasehold, HeldLeases held) {
        return new LeaseholdHealth(leasehold, held);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Leasehold leasehold(
            LeaseholdProperties properties,
            LockOptions defaults,
            ObjectProvider<RedisTransport> transport,
            ObjectProvider<LentTransport> lent,
            ObjectProvider<Credentials.Supplier> credentials,
            ObjectProvider<LeaseholdListener> listeners,
            ObjectProvider<LeaseholdBuilderCustomizer> customizers) {
        LeaseholdBuilder builder = Leasehold.builder()
                .keyPrefix(properties.keyPrefix())
                .connectTimeout(properties.connectTimeout())
                .commandTimeout(properties.commandTimeout())
                .outageTolerance(properties.outageTolerance())
                .rememberTokens(properties.rememberTokens())
                .preflight(properties.preflight())
                .nodeTimeout(properties.nodeTimeout())
                .startWithoutRedis(properties.startWithoutRedis())
                .shareStacks(properties.shareStacks())
                .defaults(defaults);
        if (properties.clientName() != null) {
            builder.clientName(properties.clientName());
        }
        if (properties.maxLeaseTime() != null) {
            builder.maxLeaseTime(properties.maxLeaseTime());
        }
        if (properties.deadlockCheck() != null) {
            builder.deadlockCheck(properties.deadlockCheck());
        }
        properties.lock().format().forEach((pattern, format) -> builder.lockFormat(pattern, Formats.parse(format)));
        listeners.orderedStream().forEach(builder::listener);
        connect(builder, properties, transport, lent);
        credentials.ifAvailable(builder::credentials);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private static void connect(
            LeaseholdBuilder builder,
            LeaseholdProperties properties,
            ObjectProvider<RedisTransport> transport,
            ObjectProvider<LentTransport> lent) {
        if (properties.uri() != null) {
            builder.uri(properties.uri());
        } else if (!properties.quorum().isEmpty()) {
            builder.quorum(properties.quorum().toArray(String[]::new));
        } else {
            LentTransport ofSpringData = lent.getIfUnique();
            builder.transport(ofSpringData == null ? over(transport, properties.startWithoutRedis()) : ofSpringData);
        }
    }

    /** Creates the transport on this thread, on which other beans are created; later, if that fails and is allowed to. */
    private static Supplier<RedisTransport> over(ObjectProvider<RedisTransport> transport, boolean later) {
        RedisTransport own;
        try {
            own = transport.getIfUnique();
        } catch (BeansException e) {
            if (!later) {
                throw e;
            }
            return transport::getObject;
        }
        if (own == null) {
            throw new IllegalStateException("no Redis server is configured for Leasehold: set leasehold.uri, or add"
                    + " spring-boot-starter-data-redis, whose connection Leasehold uses. With several RedisConnectionFactory"
                    + " beans mark one as primary. leasehold.enabled=false switches Leasehold off");
        }
        return () -> own;
    }

    @Bean
    LeaseholdShutdown leaseholdShutdown(
            Leasehold leasehold, HeldLeases held, ObjectProvider<LockGate> gate, LeaseholdProperties properties) {
        return new LeaseholdShutdown(
                leasehold, held, gate, properties.shutdown().timeout());
    }

    /** A transport over the application's connection. The client closes it; it is created only if no URI is set. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisConnectionFactory.class, SpringDataTransport.class})
    static class OverSpringData {

        @Bean
        @Lazy
        @ConditionalOnMissingBean(RedisTransport.class)
        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        LentTransport leaseholdLentTransport(RedisConnectionFactory factory) {
            return new LentTransport(() -> SpringDataTransport.over(factory));
        }

        @Bean(destroyMethod = "")
        @Lazy
        @ConditionalOnMissingBean(RedisTransport.class)
        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        RedisTransport leaseholdTransport(LentTransport lent) {
            return lent.get();
        }
    }

    /** Proxies by class, Boot's default. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = "dev.leasehold.spring.lockAdvisor")
    @ConditionalOnProperty(prefix = "spring.aop", name = "proxy-target-class", matchIfMissing = true)
    @EnableLocks(proxyTargetClass = true)
    static class ProxiesByClass {}

    /** Proxies by interface. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = "dev.leasehold.spring.lockAdvisor")
    @ConditionalOnProperty(prefix = "spring.aop", name = "proxy-target-class", havingValue = "false")
    @EnableLocks
    static class ProxiesByInterface {}
}
