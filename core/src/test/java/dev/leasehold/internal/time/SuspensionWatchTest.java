package dev.leasehold.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.TimeSource;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SuspensionWatchTest {

    private static final long MILLI = 1_000_000;

    private final Clocks clocks = new Clocks();
    private SuspensionWatch watch;

    /** Two clocks, moved by hand. The monotonic one wraps soon. */
    private static final class Clocks implements TimeSource {
        private long nanos = Long.MAX_VALUE - 1000 * MILLI;
        private long wall = 1_795_227_625_000L;
        private long stallBefore;
        private long stallAfter;

        void pass(long millis) {
            nanos += millis * MILLI;
            wall += millis;
        }

        void step(long millis) {
            wall += millis;
        }

        /** The reading thread is descheduled once before, and once after, it reads the wall clock. */
        void stallAroundWallRead(long before, long after) {
            stallBefore = before;
            stallAfter = after;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            pass(stallBefore);
            long read = wall;
            pass(stallAfter);
            stallAroundWallRead(0, 0);
            return read;
        }
    }

    @BeforeEach
    void begin() {
        watch = new SuspensionWatch(clocks);
    }

    @Test
    void findsNothingWhileBothClocksRunAlike() {
        Random random = new Random(5);
        for (int i = 0; i < 10_000; i++) {
            clocks.pass(random.nextLong(10_000));
            assertThat(watch.check()).isZero();
        }
    }

    @Test
    void findsASuspensionAndKeepsTheSum() {
        clocks.pass(5000);
        clocks.step(60_000);
        assertThat(watch.check()).isEqualTo(60_000 * MILLI);
        clocks.pass(1000);
        assertThat(watch.check()).isEqualTo(60_000 * MILLI);
        clocks.step(300);
        assertThat(watch.check()).isEqualTo(60_300 * MILLI);
    }

    @Test
    void findsASuspensionRightAfterACheck() {
        watch.check();
        clocks.step(251);
        assertThat(watch.check()).isEqualTo(251 * MILLI);
    }

    @Test
    void aQuarterOfASecondIsNoSuspension() {
        clocks.step(250);
        assertThat(watch.check()).isZero();
    }

    @Test
    void aSlewedClockNeverAddsUp() {
        for (int i = 0; i < 10_000; i++) {
            clocks.pass(1000);
            clocks.step(100);
            assertThat(watch.check()).isZero();
        }
    }

    /** Finding 17: the sum since the lease began would hide a suspension behind an earlier backward step. */
    @Test
    void aBackwardStepDoesNotHideALaterSuspension() {
        clocks.pass(1000);
        clocks.step(-3_600_000);
        assertThat(watch.check()).isZero();
        clocks.pass(1000);
        clocks.step(40_000);
        assertThat(watch.check()).isEqualTo(40_000 * MILLI);
    }

    @Test
    void aSmallBackwardStepDoesNotHideALaterSuspensionForLong() {
        clocks.step(-200);
        watch.check();
        clocks.pass(251);
        watch.check();
        clocks.step(300);
        assertThat(watch.check()).isEqualTo(300 * MILLI);
    }

    @Test
    void aThreadThatWasDescheduledWhileReadingIsNoSuspendedMachine() {
        clocks.pass(1000);
        clocks.stallAroundWallRead(30_000, 0);
        assertThat(watch.check()).isZero();
        clocks.pass(1000);
        assertThat(watch.check()).isZero();
        clocks.stallAroundWallRead(0, 200);
        assertThat(watch.check()).isZero();
        clocks.pass(1000);
        assertThat(watch.check()).isZero();
    }
}
