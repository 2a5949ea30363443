package dev.leasehold.micronaut;

import dev.leasehold.Credentials;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.FailedStart;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.annotation.LeaseholdHealth;
import dev.leasehold.annotation.LockGate;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.spi.RedisTransport;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Prototype;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.List;

/** The client, and what it needs. */
@Factory
final class LeaseholdFactory {

    @Singleton
    @Requires(missingBeans = LockOptions.class)
    LockOptions lockOptions(LeaseholdConfiguration configuration) {
        return configuration.lock().options();
    }

    @Singleton
    LockGate lockGate() {
        return new LockGate();
    }

    @Singleton
    HeldLeases heldLeases() {
        return new HeldLeases();
    }

    @Singleton
    LeaseholdHealth leaseholdHealth(Leasehold leasehold, HeldLeases held) {
        return new LeaseholdHealth(leasehold, held);
    }

    @Prototype
    LeaseholdBuilder leaseholdBuilder(
            LeaseholdConfiguration configuration,
            LockOptions defaults,
            BeanProvider<RedisTransport> lent,
            BeanProvider<Credentials.Supplier> credentials,
            List<LeaseholdListener> listeners) {
        LeaseholdBuilder builder = Leasehold.builder().defaults(defaults);
        configuration.applyTo(builder);
        listeners.forEach(builder::listener);
        List<String> quorum = configuration.quorum();
        if (configuration.uri() != null) {
            builder.uri(configuration.uri());
        } else if (quorum != null && !quorum.isEmpty()) {
            builder.quorum(quorum.toArray(String[]::new));
        } else if (lent.isUnique()) {
            builder.transport(lent::get);
        } else {
            throw new ConfigurationException("no Redis server is configured for Leasehold: set leasehold.uri, or add"
                    + " micronaut-redis-lettuce, whose client Leasehold uses, and set redis.uri."
                    + " leasehold.enabled=false switches Leasehold off");
        }
        credentials.ifPresent(builder::credentials);
        return builder;
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(missingBeans = Leasehold.class)
    Leasehold leasehold(LeaseholdBuilder builder) {
        try {
            return builder.build();
        } catch (LockUnavailableException e) {
            throw FailedStart.advised(e, "leasehold.start-without-redis");
        }
    }
}
