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
    private final Clock busy = new Clock(8);

    private static final class Clock implements TimeSource {
        private final VirtualTime time = new VirtualTime();
        private final int factor;
        private int pauses;

        /** A pause takes so many times as long as it is asked for; with 0, the clock stands still. */
        Clock(int factor) {
            this.factor = factor;
        }

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
            time.pause(factor * nanos);
        }
    }

    @Test
    void aWaitEndsInTimeThoughEachPauseTakesLonger() {
        long before = busy.nanoTime();
        new BoundedWait(busy, 2 * SECOND).until(() -> false);
        assertThat(busy.nanoTime() - before).isBetween(2 * SECOND, 2 * SECOND + 4 * MILLI);
    }

    @Test
    void oneLimitHoldsForAllConditions() {
        long before = busy.nanoTime();
        BoundedWait wait = new BoundedWait(busy, 2 * SECOND);
        wait.until(() -> busy.nanoTime() - before >= SECOND);
        wait.until(() -> false);
        assertThat(busy.nanoTime() - before).isBetween(2 * SECOND, 2 * SECOND + 4 * MILLI);
    }

    @Test
    void aStartMayTakeAsManyPausesAsOnAQuietMachine() {
        BoundedWait.forStart(busy, 2 * SECOND).until(() -> false);
        assertThat(busy.pauses).isEqualTo(4_000);
    }

    @Test
    void aClockThatStandsStillEndsByItsPauses() {
        Clock still = new Clock(0);
        new BoundedWait(still, 2 * SECOND).until(() -> false);
        assertThat(still.pauses).isEqualTo(4_000);
    }
}
