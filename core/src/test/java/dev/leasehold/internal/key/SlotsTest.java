package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotsTest {

    /** The check value of the CRC, and what CLUSTER KEYSLOT answers. */
    @Test
    void isThatOfTheHashTag() {
        assertThat(Slots.of("leasehold:{123456789}")).isEqualTo(0x31c3);
        assertThat(Slots.of("leasehold:{foo}")).isEqualTo(12_182);
        assertThat(Slots.of("any:{bar}")).isEqualTo(5061);
        assertThat(LockKey.of(new KeyPrefix("p"), "hello").slot()).isEqualTo(866);
    }

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
        assertThat(Slots.of(key)).isEqualTo(slot);
    }
}
