package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.TokenFloor;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenFloorsTest {

    private static final long SECOND = 1_000_000_000;
    private static final long KEPT = 60 * SECOND;
    private static final long LEASE = 30 * SECOND;

    private final VirtualTime time = new VirtualTime();
    private final TokenFloors floors = new TokenFloors(KEPT, time, time::nanoTime);

    private static LockKey key(String name) {
        return LockKey.of(new KeyPrefix("leasehold"), name);
    }

    @Test
    void areZeroForANameThatWasNeverSeen() {
        assertThat(floors.of(key("a"))).isEqualTo(new TokenFloor(0));
    }

    @Test
    void keepTheHighestWhenAnswersOvertakeEachOther() {
        floors.seen(key("a"), 9, LEASE, 0);
        floors.seen(key("a"), 7, LEASE, 0);
        floors.seen(key("b"), 3, LEASE, 0);
        assertThat(floors.of(key("a"))).isEqualTo(new TokenFloor(9));
        assertThat(floors.of(key("b"))).isEqualTo(new TokenFloor(3));
    }

    @Test
    void stayBoundedOverManyNamesAndKeepNamesInUse() {
        LockKey used = key("used all the time");
        int most = 0;
        for (int i = 1; i <= 300_000; i++) {
            // 1,000 new names a second: 90,000 of them are within token memory and lease at any time.
            time.pass(Duration.ofMillis(1));
            floors.seen(key("job:" + i), i, LEASE, time.nanoTime());
            if (i % 10_000 == 0) {
                floors.seen(used, i, LEASE, time.nanoTime());
                most = Math.max(most, floors.size());
                assertThat(floors.of(used).token()).isEqualTo(i);
                assertThat(floors.of(key("job:" + (i - 5000))).token()).isEqualTo(i - 5000);
            }
        }
        assertThat(most).isLessThan(102_000);
        assertThat(floors.of(key("job:1"))).isEqualTo(new TokenFloor(0));
        time.pass(Duration.ofSeconds(120));
        assertThat(floors.size()).as("after two minutes without a lock").isZero();
    }
}
