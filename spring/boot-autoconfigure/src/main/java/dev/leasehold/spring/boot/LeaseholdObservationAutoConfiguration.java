package dev.leasehold.spring.boot;

import dev.leasehold.micrometer.LeaseholdObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the observations of the application's client, if an {@link ObservationRegistry} and
 * leasehold-micrometer are present; {@code leasehold.observations.enabled=false} switches it off.
 */
@AutoConfiguration(
        before = LeaseholdAutoConfiguration.class,
        afterName = {
            // Its names in Boot 4 and in Boot 3.
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass({ObservationRegistry.class, LeaseholdObservations.class})
@ConditionalOnProperty(prefix = "leasehold", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdObservationAutoConfiguration {

    LeaseholdObservationAutoConfiguration() {}

    /** Defines the listener; the client uses all listeners that are beans. */
    @Bean
    @ConditionalOnSingleCandidate(ObservationRegistry.class)
    @ConditionalOnMissingBean
    @ConditionalOnProperty(prefix = "leasehold.observations", name = "enabled", matchIfMissing = true)
    LeaseholdObservations leaseholdObservations(ObservationRegistry registry, LeaseholdProperties properties) {
        return properties.observations().lockNames()
                ? LeaseholdObservations.withLockNames(registry)
                : LeaseholdObservations.of(registry);
    }
}
