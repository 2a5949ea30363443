package dev.leasehold.cli.internal.top;

import static dev.leasehold.cli.internal.LockInfos.NOON;
import static dev.leasehold.cli.internal.LockInfos.deadWaiter;
import static dev.leasehold.cli.internal.LockInfos.held;
import static dev.leasehold.cli.internal.LockInfos.unknown;
import static dev.leasehold.cli.internal.LockInfos.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopModelTest {

    private final SettableClock clock = new SettableClock(NOON.plusSeconds(60));
    private final TopModel model = new TopModel(clock);

    @Test
    void hasNothingBeforeTheFirstReading() {
        assertThat(model.snapshot()).isNull();
        assertThat(model.outage()).isNull();
        assertThat(model.outageTime()).isZero();
    }

    @Test
    void computesAgesAndWaitsFromItsClock() {
        Snapshot snapshot = read(held("a", 1, 50, waiter(58)), held("b", 2, 10, waiter(40), waiter(30)), unknown("c"));
        assertThat(snapshot.held()).isEqualTo(3);
        assertThat(snapshot.waiting()).isEqualTo(3);
        assertThat(snapshot.oldestHold()).isEqualTo(Duration.ofSeconds(50));
        assertThat(snapshot.longestWait()).isEqualTo(Duration.ofSeconds(30));
        assertThat(snapshot.rows())
                .extracting(LockRow::age)
                .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(50), null);
        assertThat(snapshot.rows())
                .extracting(LockRow::longestWait)
                .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(30), null);
    }

    /** Redis recorded these times, and its clock may be ahead. */
    @Test
    void noAgeAndNoWaitIsNegative() {
        Snapshot snapshot = read(held("a", 1, 61, waiter(65)));
        assertThat(snapshot.oldestHold()).isZero();
        assertThat(snapshot.longestWait()).isZero();
    }

    @Test
    void deadWaitersDoNotCount() {
        Snapshot snapshot = read(held("a", 1, 0, deadWaiter(5), waiter(50)), held("b", 2, 0, deadWaiter(5)));
        assertThat(snapshot.waiting()).isEqualTo(1);
        assertThat(snapshot.longestWait()).isEqualTo(Duration.ofSeconds(10));
        assertThat(snapshot.rows()).extracting(LockRow::waiters).containsExactly(1, 0);
    }

    @Test
    void anEmptyServerHasNoTimes() {
        Snapshot snapshot = read();
        assertThat(snapshot.held()).isZero();
        assertThat(snapshot.oldestHold()).isNull();
        assertThat(snapshot.longestWait()).isNull();
    }

    @Test
    void countsTheLocksWhoseHolderChangedBetweenTwoReadings() {
        assertThat(read(held("a", 1, 0), held("b", 2, 0), held("c", 3, 0), held("gone", 4, 0))
                        .handOffsPerSecond())
                .isNull();
        clock.advance(Duration.ofSeconds(4));
        Snapshot second = read(held("a", 11, 62), held("b", 2, 0), held("c", 3, 63), held("new", 5, 62));
        assertThat(second.handOffsPerSecond()).isEqualTo(0.5);
        clock.advance(Duration.ofSeconds(1));
        assertThat(read(held("a", 11, 62), held("b", 2, 0), held("c", 3, 63)).handOffsPerSecond())
                .isEqualTo(0.0);
    }

    @Test
    void aClockThatWasSetBackGivesNoRate() {
        read(held("a", 1, 0));
        clock.advance(Duration.ofSeconds(-5));
        assertThat(read(held("a", 2, 0)).handOffsPerSecond()).isNull();
    }

    @Test
    void keepsTheLastStateWhileRedisGivesNoAnswer() {
        Snapshot before = read(held("a", 1, 0));
        model.failed("no route");
        clock.advance(Duration.ofSeconds(3));
        model.failed("connection refused");
        assertThat(model.snapshot()).isEqualTo(before);
        assertThat(model.outage()).isEqualTo(new TopModel.Outage(NOON.plusSeconds(60), "connection refused"));
        assertThat(model.outageTime()).isEqualTo(Duration.ofSeconds(3));
        read(held("a", 1, 0));
        assertThat(model.outage()).isNull();
    }

    private Snapshot read(LockInfo... locks) {
        model.read(Arrays.asList(locks), List.of());
        return model.snapshot();
    }

    /** The time that a test sets. */
    static final class SettableClock extends java.time.Clock {

        private Instant now;

        SettableClock(Instant now) {
            this.now = now;
        }

        void advance(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public java.time.ZoneId getZone() {
            return java.time.ZoneOffset.UTC;
        }

        @Override
        public java.time.Clock withZone(java.time.ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
