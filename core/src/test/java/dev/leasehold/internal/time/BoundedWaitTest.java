package dev.leasehold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.spi.TimeSource;
import org.junit.jupiter.api.Test;

/** Waits that end in time, however the clocks go. */
class BoundedWaitTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    /** A machine that is busy, on which each pause takes eight times as long. */
    private static final class Busy implements TimeSource {
        private final VirtualTime time = new VirtualTime();
        private int pauses;

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public long wallMillis() {
            return time.wallMillis();
        }

        @Override
        public void pause(long nanos) {
            pauses++;
            time.pause(8 * nanos);
        }
    }

    @Test
    void aWaitEndsInTimeThoughEachPauseTakesLonger() {
        Busy busy = new Busy();
        long before = busy.nanoTime();
        new BoundedWait(busy, 2 * SECOND).until(() -> false);
        assertThat(busy.nanoTime() - before).isBetween(2 * SECOND, 2 * SECOND + 4 * MILLI);
    }

    @Test
    void oneLimitHoldsForAllConditions() {
        Busy busy = new Busy();
        long before = busy.nanoTime();
        BoundedWait wait = new BoundedWait(busy, 2 * SECOND);
        wait.until(() -> busy.nanoTime() - before >= SECOND);
        wait.until(() -> false);
        assertThat(busy.nanoTime() - before).isBetween(2 * SECOND, 2 * SECOND + 4 * MILLI);
    }

    @Test
    void aStartMayTakeAsManyPausesAsOnAQuietMachine() {
        Busy busy = new Busy();
        BoundedWait.forStart(busy, 2 * SECOND).until(() -> false);
        assertThat(busy.pauses).isEqualTo(4_000);
    }

    @Test
    void aClockThatStandsStillEndsByItsPauses() {
        int[] pauses = {0};
        new BoundedWait(
                        new TimeSource() {
                            @Override
                            public long nanoTime() {
                                return 0;
                            }

                            @Override
                            public long wallMillis() {
                                return 0;
                            }

                            @Override
                            public void pause(long nanos) {
                                pauses[0]++;
                            }
                        },
                        2 * SECOND)
                .until(() -> false);
        assertThat(pauses[0]).isEqualTo(4_000);
    }
}
