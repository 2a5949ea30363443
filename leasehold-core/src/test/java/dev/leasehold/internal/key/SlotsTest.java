package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotsTest {

    /** The check value of the CRC, and what CLUSTER KEYSLOT answers. */
    @Test
    void isThatOfTheHashTag() {
        assertThat(Slots.of("leasehold:{123456789}")).isEqualTo(0x31c3);
        assertThat(Slots.of("leasehold:{foo}")).isEqualTo(12_182);
        assertThat(Slots.of("any:{bar}")).isEqualTo(5061);
        assertThat(LockKey.of(new KeyPrefix("p"), "hello").slot()).isEqualTo(866);
    }
}
