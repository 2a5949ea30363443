package dev.leasehold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpiringMapTest {

    private static final long KEPT = 60_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final ExpiringMap<String, Long> map = new ExpiringMap<>(time, time::nanoTime, until -> until);

    private long until() {
        return time.nanoTime() + KEPT;
    }

    @Test
    void aHundredThousandValuesAreRemovedThoughNobodyUsesTheMap() {
        for (int n = 0; n < 100_000; n++) {
            map.put("key-" + n, until());
        }
        time.pass(Duration.ofSeconds(59));
        assertThat(map.size()).isEqualTo(100_000);
        time.pass(Duration.ofSeconds(40));
        assertThat(map.size()).isZero();
        assertThat(time.planned()).as("nothing is left to do").isZero();
    }

    @Test
    void aValueThatReplacedAnotherStaysForItsOwnTime() {
        map.put("key", until());
        time.pass(Duration.ofSeconds(59));
        map.put("key", until());
        time.pass(Duration.ofSeconds(59));
        assertThat(map.get("key")).isNotNull();
        time.pass(Duration.ofSeconds(3));
        assertThat(map.get("key")).isNull();
    }

    @Test
    void aMapThatWasEmptyIsSweptAgain() {
        map.put("first", until());
        time.pass(Duration.ofSeconds(62));
        assertThat(map.size()).isZero();
        map.merge("second", until(), Math::max);
        time.pass(Duration.ofSeconds(62));
        assertThat(map.size()).isZero();
    }

    @Test
    void aStreamOfNewKeysLeavesLittleMoreThanTheValuesOfUse() {
        int most = 0;
        for (int n = 0; n < 200_000; n++) {
            time.pass(Duration.ofMillis(1));
            map.put("key-" + n, until());
            most = Math.max(most, map.size());
        }
        assertThat(most).isBetween(60_000, 72_000);
    }
}
