package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Durability;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class LeaseholdPropertiesTest {

    private static LeaseholdProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bind("leasehold", LeaseholdProperties.class)
                .get();
    }

    /** What a builder takes as an object: the application has a bean for it, or a customizer. */
    private static final Set<String> OBJECTS =
            Set.of("transport", "defaults", "listener", "tls", "credentials", "eventExecutor", "timer", "timeSource");

    /** Under other names. */
    private static final Map<String, String> RENAMED = Map.of(
            "lockFormat", "format",
            "renewal", "renewalRatio",
            "waitStrategy", "pollInterval",
            "durability", "acknowledgeTimeout");

    private static List<String> settings(Class<?> builder) {
        return Stream.of(builder.getMethods())
                .filter(method -> method.getReturnType() == builder)
                .map(method -> RENAMED.getOrDefault(method.getName(), method.getName()))
                .filter(setting -> !OBJECTS.contains(setting))
                .toList();
    }

    @Test
    void haveEverySettingOfTheBuilders() {
        List<String> properties = Stream.of(LeaseholdProperties.class, LeaseholdProperties.Lock.class)
                .flatMap(type -> Stream.of(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .toList();
        assertThat(properties).containsAll(settings(LeaseholdBuilder.class));
        assertThat(properties).containsAll(settings(LockOptions.Builder.class));
    }

    @Test
    void becomeOptions() {
        Map<String, String> properties = Map.of(
                "leasehold.lock.lease-time", "9s",
                "leasehold.lock.poll-interval", "70ms",
                "leasehold.lock.max-tries", "5",
                "leasehold.lock.replicas", "2",
                "leasehold.lock.min-hold", "2s",
                "leasehold.lock.label", "shop");
        assertThat(bound(properties).lock().options())
                .isEqualTo(LockOptions.builder()
                        .leaseTime(Duration.ofSeconds(9))
                        .waitStrategy(WaitStrategy.polling(Duration.ofMillis(70), 5))
                        .replicas(2, Duration.ofMillis(200))
                        .minHold(Duration.ofSeconds(2))
                        .label("shop")
                        .build());
        assertThat(bound(Map.of("leasehold.lock.on-disk", "true"))
                        .lock()
                        .options()
                        .durability())
                .isEqualTo(Durability.onDisk(0, Duration.ofSeconds(2)));
        assertThat(bound(Map.of("leasehold.lock.retain-for", "300ms"))
                        .lock()
                        .options()
                        .retainFor())
                .isEqualTo(Duration.ofMillis(300));
        assertThat(bound(Map.of("leasehold.lock.on-disk", "false")).lock().options())
                .isEqualTo(LockOptions.defaults());
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
