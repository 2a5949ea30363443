package dev.leasehold.spring.boot.test;

import dev.leasehold.spring.boot.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configuration of {@link LeaseholdTest}. The auto-configuration creates no client beside this one. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(LeaseholdAutoConfiguration.class)
class InMemoryLocks {

    @Bean
    ManualClock manualClock() {
        return ManualClock.create();
    }

    @Bean(destroyMethod = "close")
    InMemoryLeasehold inMemoryLeasehold(ManualClock clock) {
        return InMemoryLeasehold.create(clock);
    }
}
