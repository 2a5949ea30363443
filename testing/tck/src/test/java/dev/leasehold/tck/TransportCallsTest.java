package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contracts expect of any server what a transport reports of it. */
class TransportCallsTest {

    @Test
    void theVersionIsThatOfTheProductAndNotOfTheRedisItIsCompatibleWith() {
        assertThat(TransportCalls.version(Map.of("redis_version", "7.0.15"))).isEqualTo("7.0.15");
        assertThat(TransportCalls.version(Map.of("redis_version", "7.2.4", "valkey_version", "8.0.1")))
                .isEqualTo("8.0.1");
    }
}
