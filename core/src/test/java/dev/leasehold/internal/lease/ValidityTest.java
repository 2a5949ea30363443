package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ValidityTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    @Test
    void aGrantByAnEarlierCopyIsValidForNoLongerThanRedisReports() {
        // Finding 1: the retry of a 3 s lease hits its own hold after 1.5 s.
        assertThat(Validity.span(3 * SECOND, 1_499_508_000)).isEqualTo(1_499_508_000);
    }

    @Test
    void anExtendedHoldIsValidForNoLongerThanThisAttemptRequested() {
        assertThat(Validity.span(3 * SECOND, 600 * SECOND)).isEqualTo(3 * SECOND);
    }

    @Test
    void theDriftIsOnePercentAndTwoMilliseconds() {
        assertThat(Validity.drift(30 * SECOND)).isEqualTo(302 * MILLI);
        assertThat(Validity.drift(0)).isEqualTo(2 * MILLI);
    }

    @Test
    void theSpanNeverExceedsTheRequestedOrTheReportedTime() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            long requested = random.nextLong(50 * MILLI, 86_400 * SECOND);
            long left = random.nextLong(0, 2 * requested);
            long span = Validity.span(requested, left);
            assertThat(span).isLessThanOrEqualTo(requested).isLessThanOrEqualTo(left);
            assertThat(span).isIn(requested, left);
        }
    }
}
