package dev.leasehold.internal.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectionTest {

    @ParameterizedTest
    @CsvSource({
        "MOVED 3999 10.0.0.2:6381, false, 3999, 10.0.0.2, 6381",
        "ASK 0 redis.example:6379, true, 0, redis.example, 6379",
        "MOVED 16383 ::1:6379, false, 16383, ::1, 6379",
        "MOVED 1 :7000, false, 1, asked, 7000"
    })
    void namesTheSlotAndItsOwner(String error, boolean asking, int slot, String host, int port) {
        assertThat(Redirection.of(new RedisErrorException(error), "asked"))
                .isEqualTo(new Redirection(asking, slot, new RedisAddress(host, port)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR MOVED 1 a:1",
                "MOVED",
                "MOVED 1",
                "MOVED one a:1",
                "MOVED 16384 a:1",
                "ASK 1 a",
                "CLUSTERDOWN x",
                "MOVED to somewhere else",
                ""
            })
    void anythingElseIsNone(String error) {
        assertThat(Redirection.of(new RedisErrorException(error), "asked")).isNull();
    }

    @Test
    void anAddressOfVersionSixStandsInBrackets() {
        assertThat(new RedisAddress("::1", 7000)).hasToString("[::1]:7000");
        assertThat(new RedisAddress("10.0.0.1", 7000)).hasToString("10.0.0.1:7000");
    }
}
