package dev.leasehold.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.AcquisitionId;
import org.junit.jupiter.api.Test;

/** State and deadline of one lease. Times are in seconds here; the lease time is 30 s. */
class LeaseRecordTest {

    private static final long SECOND = 1_000_000_000;
    private static final AcquisitionId ID = new AcquisitionId("acquisition-1");

    private final LeaseRecord record = new LeaseRecord(EngineRig.KEY, ID, null, EngineRig.OPTIONS, null, false);

    private static long drift(long seconds) {
        return Validity.drift(seconds * SECOND);
    }

    @Test
    void validityCountsFromTheSendingOfTheGrantedRequest() {
        record.granted(7, 100 * SECOND, 20 * SECOND, 0);
        assertThat(record.state()).isEqualTo(LeaseState.HELD);
        assertThat(record.token()).isEqualTo(7);
        assertThat(record.validUntil(0)).isEqualTo(120 * SECOND - drift(20));
    }

    @Test
    void aConfirmationNeverShortensAnEarlierDeadline() {
        record.granted(7, 0, 30 * SECOND, 0);
        record.confirmed(5 * SECOND, 600 * SECOND, 0, false);
        record.confirmed(4 * SECOND, 30 * SECOND, 0, true);
        assertThat(record.validUntil(0)).isEqualTo(605 * SECOND - drift(600));
        assertThat(record.end()).isEqualTo(605 * SECOND);
        assertThat(record.renewals()).isEqualTo(1);
    }

    @Test
    void aSurplusOfTheWallClockShortensTheDeadlineUntilRedisHasConfirmed() {
        record.granted(7, 0, 30 * SECOND, 0);
        assertThat(record.validUntil(SECOND)).isEqualTo(29 * SECOND - drift(30));
        assertThat(record.suspicious(SECOND)).isTrue();
        record.confirmed(2 * SECOND, 30 * SECOND, SECOND, true);
        assertThat(record.suspicious(SECOND)).isFalse();
        assertThat(record.validUntil(SECOND)).isEqualTo(32 * SECOND - drift(30));
    }

    /** The earlier deadline counts, less the surplus, and the suspicion ends: otherwise requests would never stop. */
    @Test
    void aShorterConfirmationEndsTheSuspicionOfALongerLease() {
        record.granted(7, 0, 30 * SECOND, 0);
        record.confirmed(0, 600 * SECOND, 0, false);
        record.apply(LeaseEvent.CLOCK_JUMPED);
        record.confirmed(2 * SECOND, 30 * SECOND, SECOND, true);
        assertThat(record.state()).isEqualTo(LeaseState.HELD);
        assertThat(record.suspicious(SECOND)).isFalse();
        assertThat(record.validUntil(SECOND)).isEqualTo(599 * SECOND - drift(600));
    }

    @Test
    void anAnswerToARequestFromBeforeTheJumpDoesNotEndTheSuspicion() {
        record.granted(7, 0, 30 * SECOND, 0);
        record.confirmed(2 * SECOND, 30 * SECOND, 0, true);
        assertThat(record.suspicious(SECOND)).isTrue();
    }

    @Test
    void aConfirmationAfterTheEndChangesNothing() {
        record.granted(7, 0, 30 * SECOND, 0);
        record.apply(LeaseEvent.DEADLINE_PASSED);
        long until = record.validUntil(0);
        assertThat(record.confirmed(40 * SECOND, 30 * SECOND, 0, true).after()).isEqualTo(LeaseState.LOST);
        assertThat(record.validUntil(0)).isEqualTo(until);
        assertThat(record.renewals()).isZero();
    }
}
