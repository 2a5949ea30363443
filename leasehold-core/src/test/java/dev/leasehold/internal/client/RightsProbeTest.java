package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class RightsProbeTest {

    private static final int SLOTS = 16_384;
    private static final int NODES = 3;

    @Test
    void ofSixKeysOneNodeOfThreeHasTwo() {
        int gone = 1;
        for (int i = 0; i < 100; i++) {
            List<LockKey> keys = RightsProbe.keys(new KeyPrefix("p"), 6);

            assertThat(keys).hasSize(6);
            assertThat(keys.stream().filter(key -> key.slot() * NODES / SLOTS == gone))
                    .hasSize(2);
        }
    }

    @Test
    void oneKeyLiesAnywhere() {
        assertThat(RightsProbe.keys(new KeyPrefix("p"), 1)).hasSize(1);
    }
}
