package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class LeaseholdPropertiesTest {

    private static LeaseholdProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bind("leasehold", LeaseholdProperties.class)
                .get();
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
