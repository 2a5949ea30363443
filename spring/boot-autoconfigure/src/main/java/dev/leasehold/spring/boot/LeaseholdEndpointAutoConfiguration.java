package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.HeldLeases;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Auto-configuration of the actuator endpoint, if the actuator is present and exposes the endpoint. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({Leasehold.class, HeldLeases.class})
public final class LeaseholdEndpointAutoConfiguration {

    LeaseholdEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = LeaseholdEndpoint.class)
    LeaseholdEndpoint leaseholdEndpoint(Leasehold leasehold, HeldLeases held, LeaseholdProperties properties) {
        return new LeaseholdEndpoint(leasehold, held, properties);
    }
}
