package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSlotsTest {

    @ParameterizedTest
    @CsvSource({
        "123456789, {123456789}",
        "user1000, {user1000}.following",
        "'{bar', foo{{bar}}zap",
        "bar, foo{bar}{zap}"
    })
    void keysWithTheSameHashTagShareASlot(String alone, String tagged) {
        assertThat(ClusterSlots.of(tagged)).isEqualTo(ClusterSlots.of("{" + alone + "}"));
    }

    /** 0x31C3 is the value that the specification gives. */
    @ParameterizedTest
    @CsvSource({"123456789, 0x31C3", "'', 0"})
    void theSlotIsTheChecksumOfTheSpecification(String key, String slot) {
        assertThat(ClusterSlots.of(key)).isEqualTo(Integer.decode(slot));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 16_384})
    void refusesASlotThatIsNone(int slot) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClusterSlots.require(slot))
                .withMessageContaining(String.valueOf(slot));
    }
}
