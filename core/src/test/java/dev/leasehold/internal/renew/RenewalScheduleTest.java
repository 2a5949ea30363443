package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.internal.lease.Validity;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RenewalScheduleTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;
    private static final long COMMAND_TIMEOUT = 2 * SECOND;

    private final Random random = new Random(20_261_121);

    @Test
    void isDueAfterItsPartOfTheLease() {
        assertThat(RenewalSchedule.dueAt(30 * SECOND, 30 * SECOND, 1.0 / 3, 0, 0))
                .isEqualTo(10 * SECOND);
    }

    @Test
    void isSoonerByATenthAtMostSoThatLeasesAcquiredTogetherAreRenewedSeparately() {
        assertThat(RenewalSchedule.dueAt(30 * SECOND, 30 * SECOND, 1.0 / 3, 1, 0))
                .isBetween(9 * SECOND, 9 * SECOND + 30 * SECOND / 96);
        for (int i = 0; i < 10_000; i++) {
            long lease = lease();
            double ratio = random.nextDouble(0.05, 0.95);
            long end = random.nextLong();
            long due = RenewalSchedule.dueAt(end, lease, ratio, random.nextDouble(), random.nextLong());
            assertThat(due - (end - lease))
                    .isBetween((long) (lease * ratio * 0.9) - 1, (long) Math.ceil(lease * ratio) + 1);
        }
    }

    @Test
    void leasesThatAreDueAtNearlyTheSameTimeAreDueAtTheSame() {
        for (int i = 0; i < 1000; i++) {
            long lease = lease();
            long origin = random.nextLong();
            double ratio = random.nextDouble(0.11, 0.95);
            Set<Long> moments = new HashSet<>();
            for (int j = 0; j < 1000; j++) {
                long end = origin + lease + random.nextLong(lease);
                moments.add(RenewalSchedule.dueAt(end, lease, ratio, random.nextDouble(), origin));
            }
            assertThat(moments).hasSizeLessThan(120);
        }
    }

    @Test
    void anExtendedLeaseIsNotDueUntilOnlyItsLastLeaseTimeIsLeft() {
        long end = 600 * SECOND;
        assertThat(RenewalSchedule.dueAt(end, 30 * SECOND, 1.0 / 3, 0, 0)).isEqualTo(580 * SECOND);
    }

    @Test
    void leavesTimeForAnotherTryForEveryAcceptedLease() {
        int judged = 0;
        for (int i = 0; i < 10_000; i++) {
            long lease = lease();
            double ratio = random.nextDouble(0.05, 0.95);
            if (!accepted(lease, ratio)) {
                continue;
            }
            judged++;
            long due = RenewalSchedule.dueAt(lease, lease, ratio, random.nextDouble(), random.nextLong());
            long rest = lease - Validity.drift(lease) - due;
            assertThat(RenewalSchedule.retryDelay(lease, 0)).isLessThan(rest);
        }
        assertThat(judged).isGreaterThan(5000);
    }

    @Test
    void byDefaultATimedOutRenewalIsTriedAtLeastTwiceMore() {
        for (int i = 0; i < 10_000; i++) {
            long lease = random.nextLong(SECOND, 3600 * SECOND);
            long due = RenewalSchedule.dueAt(lease, lease, Renewal.whileHeld().ratio(), 0, random.nextLong());
            long round = RenewalSchedule.timeout(lease, COMMAND_TIMEOUT) + RenewalSchedule.retryDelay(lease, 1);
            assertThat((lease - Validity.drift(lease) - due) / round).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void waitsASixthOfTheLeaseForAnAnswerAndNeverLongerThanACommandMayTake() {
        assertThat(RenewalSchedule.timeout(6 * SECOND, COMMAND_TIMEOUT)).isEqualTo(SECOND);
        assertThat(RenewalSchedule.timeout(3600 * SECOND, COMMAND_TIMEOUT)).isEqualTo(COMMAND_TIMEOUT);
        assertThat(RenewalSchedule.timeout(75 * MILLI, COMMAND_TIMEOUT)).isEqualTo(25 * MILLI);
        assertThat(RenewalSchedule.timeout(75 * MILLI, 5 * MILLI)).isEqualTo(5 * MILLI);
    }

    @Test
    void pausesBetweenHalfAndOneAndAHalfOfATwentiethOfTheLease() {
        assertThat(RenewalSchedule.retryDelay(2 * SECOND, 0)).isEqualTo(50 * MILLI);
        assertThat(RenewalSchedule.retryDelay(2 * SECOND, 1)).isEqualTo(150 * MILLI);
        for (int i = 0; i < 10_000; i++) {
            assertThat(RenewalSchedule.retryDelay(lease(), random.nextDouble())).isBetween(5 * MILLI, 750 * MILLI);
        }
    }

    private long lease() {
        return (long) (50 * MILLI * Math.pow(10, random.nextDouble(0, 6)));
    }

    private static boolean accepted(long lease, double ratio) {
        try {
            LockOptions.builder()
                    .leaseTime(Duration.ofNanos(lease))
                    .renewal(Renewal.afterRatio(ratio))
                    .build();
            return true;
        } catch (IllegalArgumentException tooShort) {
            return false;
        }
    }

    @Test
    void anotherMomentFitsIfItLiesInTheLastTenthOfTheInterval() {
        long end = 30_000;
        for (long moment : new long[] {9_000, 9_500, 10_000}) {
            assertThat(RenewalSchedule.fits(moment, end, 30_000, 1.0 / 3)).isTrue();
        }
        assertThat(RenewalSchedule.fits(8_999, end, 30_000, 1.0 / 3)).isFalse();
        assertThat(RenewalSchedule.fits(10_001, end, 30_000, 1.0 / 3)).isFalse();
    }
}
