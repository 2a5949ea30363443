package dev.leasehold.springdata;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.RedisTemplate;

/** Runs beside the contracts with each version: else a wrong class path would let them pass on one alone. */
class SpringDataVersionIT {

    @Test
    void theVersionThatIsMeantIsTheVersionThatRuns() {
        assertThat(RedisTemplate.class.getPackage().getImplementationVersion())
                .isEqualTo(System.getProperty("leasehold.spring-data-redis.version"));
    }
}
