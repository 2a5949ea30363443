package dev.leasehold.springdata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisTransportProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.RedisTemplate;

/** Runs beside the contracts with each version: else a wrong class path would let them pass on one alone. */
class SpringDataVersionIT {

    @Test
    void theVersionThatIsMeantIsTheVersionThatRuns() {
        assertThat(RedisTemplate.class.getPackage().getImplementationVersion())
                .isEqualTo(System.getProperty("leasehold.spring-data-redis.version"));
    }

    /** The adapter of Lettuce is on the class path, too, and the contracts name a server by a URI. */
    @Test
    void theContractsRunOverFactories() {
        assertThat(ServiceLoader.load(RedisTransportProvider.class).iterator().next())
                .isInstanceOf(LentByUri.class);
    }
}
