package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.springintegration.LeaseholdLockRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Auto-configuration of a lock registry of Spring Integration with the application's client, if
 * leasehold-spring-integration is present. It backs off if the application has a {@link LockRegistry};
 * {@code leasehold.lock-registry.enabled=false} switches it off. It requires Spring Integration 7, and so Boot 4:
 * earlier versions have no {@link DistributedLock}.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({LeaseholdLockRegistry.class, DistributedLock.class})
@ConditionalOnBean(Leasehold.class)
@ConditionalOnProperty(prefix = "leasehold.lock-registry", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdLockRegistryAutoConfiguration {

    LeaseholdLockRegistryAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockRegistry.class)
    LeaseholdLockRegistry leaseholdLockRegistry(
            Leasehold leasehold, LeaseholdProperties properties, ObjectProvider<LockOptions> defaults) {
        LockOptions options = defaults.getIfUnique(() -> properties.lock().options());
        return new LeaseholdLockRegistry(leasehold, properties.lockRegistry().namePrefix(), options);
    }
}
