package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spring.EnableLocks;
import dev.leasehold.spring.LockGate;
import dev.leasehold.springdata.SpringDataTransport;
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
 * A {@link Leasehold} bean over the application's own connection to Redis or by {@code leasehold.uri}, the annotation
 * {@link dev.leasehold.spring.Lock}, and a graceful end. It steps back before a {@link Leasehold} bean of the application, and is
 * switched off by {@code leasehold.enabled=false}.
 */
@AutoConfiguration(
        afterName = {
            // Where Boot 4 and Boot 3 have it.
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
            ObjectProvider<LeaseholdListener> listeners,
            ObjectProvider<LeaseholdBuilderCustomizer> customizers) {
        LeaseholdBuilder builder = Leasehold.builder()
                .keyPrefix(properties.keyPrefix())
                .connectTimeout(properties.connectTimeout())
                .commandTimeout(properties.commandTimeout())
                .outageTolerance(properties.outageTolerance())
                .retention(properties.retention())
                .preflight(properties.preflight())
                .scripts(properties.scripts())
                .defaults(defaults);
        if (properties.clientName() != null) {
            builder.clientName(properties.clientName());
        }
        if (properties.maxLeaseTime() != null) {
            builder.maxLeaseTime(properties.maxLeaseTime());
        }
        listeners.orderedStream().forEach(builder::listener);
        connect(builder, properties, transport);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    private static void connect(
            LeaseholdBuilder builder, LeaseholdProperties properties, ObjectProvider<RedisTransport> transport) {
        if (properties.uri() != null) {
            builder.uri(properties.uri());
        } else if (!properties.quorum().isEmpty()) {
            builder.quorum(properties.quorum().toArray(String[]::new));
        } else {
            RedisTransport own = transport.getIfUnique();
            if (own == null) {
                throw new IllegalStateException("Leasehold does not know where Redis is: set leasehold.uri, or add"
                        + " spring-boot-starter-data-redis, whose connection it uses. With several RedisConnectionFactory beans"
                        + " mark one as primary. leasehold.enabled=false switches Leasehold off");
            }
            builder.transport(own);
        }
    }

    @Bean
    LeaseholdShutdown leaseholdShutdown(
            Leasehold leasehold, HeldLeases held, ObjectProvider<LockGate> gate, LeaseholdProperties properties) {
        return new LeaseholdShutdown(
                leasehold, held, gate, properties.shutdown().timeout());
    }

    /** Over the connection that the application has. Closed by the client, and only made if no URI is given. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisConnectionFactory.class, SpringDataTransport.class})
    static class OverSpringData {

        @Bean(destroyMethod = "")
        @Lazy
        @ConditionalOnMissingBean(RedisTransport.class)
        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        RedisTransport leaseholdTransport(RedisConnectionFactory factory) {
            return SpringDataTransport.over(factory);
        }
    }

    /** As Boot proxies everything by default. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = "dev.leasehold.spring.lockAdvisor")
    @ConditionalOnProperty(prefix = "spring.aop", name = "proxy-target-class", matchIfMissing = true)
    @EnableLocks(proxyTargetClass = true)
    static class ProxiesByClass {}

    /** For applications that want proxies by interface. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(name = "dev.leasehold.spring.lockAdvisor")
    @ConditionalOnProperty(prefix = "spring.aop", name = "proxy-target-class", havingValue = "false")
    @EnableLocks
    static class ProxiesByInterface {}
}
