package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RightsProbeTest {

    private static final int NODES = 3;

    @Test
    void ofSixKeysEachOfThreeNodesOwnsTwo() {
        int gone = 1;
        for (int i = 0; i < 100; i++) {
            List<LockKey> keys = IntStream.range(0, 6)
                    .mapToObj(part -> RightsProbe.key(new KeyPrefix("p"), part, 6))
                    .toList();

            assertThat(keys.stream().filter(key -> key.slot() * NODES / LockKey.SLOTS == gone))
                    .hasSize(2);
        }
    }

    @Test
    void aSingleKeyMayHaveAnySlot() {
        assertThat(RightsProbe.key(new KeyPrefix("p"), 0, 1).slot()).isBetween(0, LockKey.SLOTS - 1);
    }
}
