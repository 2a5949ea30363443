package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class LeaseholdPropertiesTest {

    private static LeaseholdProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bind("leasehold", LeaseholdProperties.class)
                .get();
    }

    /** The console shows this to everybody who may open it. An apostrophe is legal in a password. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            redis://app:it's-secret@host:6379/2, redis://host:6379/2
            rediss://:secret@host, rediss://host:6379
            "redis-sentinel://app:secret@one:1,two:2/main?sentinelPassword=secret", "redis-sentinel://one:1,two:2/main"
            redis-socket://app:secret@/run/redis.sock, redis-socket:///run/redis.sock
            redis://app:se^cret@host, ***
            """)
    void theAddressOfAServerHasNoSecret(String uri, String address) {
        LeaseholdProperties properties = bound(Map.of("leasehold.uri", uri));
        assertThat(LeaseholdConsoleAutoConfiguration.InServletApplication.address(uri, properties))
                .isEqualTo(address);
    }

    @Test
    void printNoPassword() {
        Map<String, String> properties = Map.of(
                "leasehold.uri", "redis://app:it's-secret@localhost:6379",
                "leasehold.quorum[0]", "redis://:secret@localhost:6380",
                "leasehold.key-prefix", "shop");
        LeaseholdProperties bound = bound(properties);
        assertThat(bound.uri()).contains("secret");
        assertThat(bound.toString()).contains("shop").doesNotContain("secret");
    }
}
