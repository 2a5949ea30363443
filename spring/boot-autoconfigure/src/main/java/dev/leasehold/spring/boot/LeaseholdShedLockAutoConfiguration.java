package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of a lock provider of ShedLock with the application's client, if leasehold-shedlock is present. It
 * backs off if the application has a {@link LockProvider}; {@code leasehold.shedlock.enabled=false} switches it off.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({LeaseholdLockProvider.class, LockProvider.class})
@ConditionalOnBean(Leasehold.class)
@ConditionalOnProperty(prefix = "leasehold.shedlock", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdShedLockAutoConfiguration {

    LeaseholdShedLockAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockProvider.class)
    LeaseholdLockProvider leaseholdLockProvider(Leasehold leasehold, LeaseholdProperties properties) {
        LeaseholdLockProvider.Builder builder = LeaseholdLockProvider.builder(leasehold)
                .namePrefix(properties.shedlock().namePrefix());
        return properties.shedlock().keepAlive() ? builder.keepAlive().build() : builder.build();
    }
}
