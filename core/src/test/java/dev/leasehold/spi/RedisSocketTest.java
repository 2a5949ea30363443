package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.TlsOptions;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSocketTest {

    private static ConnectionSettings settings(String uri) {
        return new ConnectionSettings(
                URI.create(uri), "test", Duration.ofSeconds(1), Duration.ofSeconds(1), TlsOptions.defaults());
    }

    private static RedisSocket of(String uri) {
        return RedisSocket.of(settings(uri));
    }

    @Test
    void pathPasswordAndDatabaseComeFromTheUri() {
        assertThat(of("redis-socket:///run/redis.sock")).isEqualTo(new RedisSocket("/run/redis.sock", null, null, 0));
        assertThat(of("redis-socket://me:s%40cret@/run/my%20redis?database=3"))
                .isEqualTo(new RedisSocket("/run/my redis", "me", "s@cret", 3));
        assertThat(of("redis-socket://:secret@/run/redis.sock").user()).isNull();
    }

    @Test
    void onlyThePathIsPrinted() {
        String uri = "redis-socket://me:s%40cret@/run/redis.sock?database=3";
        assertThat(of(uri)).hasToString("/run/redis.sock");
        assertThat(settings(uri).address()).isEqualTo("redis-socket:///run/redis.sock");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-socket://run/redis.sock",
                "redis-socket://:secret@host/run/redis.sock",
                "redis-socket:///",
                "redis-socket://:secret@",
                "redis-socket:///run/redis.sock?database=secret",
                "redis-socket:///run/redis.sock?password=secret"
            })
    void aMalformedUriIsRejectedWithTheCorrectSpelling(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(uri))
                .withMessageContaining("redis-socket:///path/to/redis.sock")
                .withMessageNotContaining("secret");
    }
}
