package dev.leasehold.internal.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySlotTest {

    /** The numbers are those of CLUSTER KEYSLOT of Redis 7.0. */
    @ParameterizedTest
    @CsvSource({
        "123456789, 12739",
        "foo, 12182",
        "{foo}bar, 12182",
        "x{foo}{bar}, 12182",
        "foo{}{bar}, 8363",
        "foo{{bar}}zap, 4015",
        "é, 10180",
        "'', 0"
    })
    void isThatOfTheHashTagOrElseOfTheWholeKey(String key, int slot) {
        assertThat(KeySlot.of(key)).isEqualTo(slot);
    }
}
