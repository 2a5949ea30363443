package dev.leasehold.internal.wait;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.lease.Validity;
import java.time.Duration;
import java.util.Objects;

/** Leases without an acquisition, one for each run of a race. */
final class Leases {

    static final long TOKEN = 7;
    static final LossEvent LOSS = new LossEvent("a", "me", TOKEN, LossCause.EXPIRED, Duration.ZERO, null, false);

    private static final long LONG = 2_000_000;
    private static final long SECOND = 1_000_000_000;
    static final LockOptions OPTIONS = LockOptions.defaults();
    private static final long SPAN = OPTIONS.leaseTime().toNanos();
    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");
    private static final AcquisitionId ID = new AcquisitionId("acquisition-1");

    private Leases() {}

    static LeaseRecord acquiring() {
        return new LeaseRecord(KEY, ID, null, OPTIONS, null, false);
    }

    static LeaseRecord acquiringToRead() {
        return new LeaseRecord(ReadKey.of(KEY), ID, null, OPTIONS, null, false);
    }

    /** Returns a held lease, with tokens for others to which it may be handed off. */
    static LeaseRecord handingOff() {
        LeaseRecord record = acquiring();
        grantForMany(record);
        return record;
    }

    static void grantForMany(LeaseRecord record) {
        ProcessHold unused = record.reserved(TOKEN + 100, 0);
        grant(record);
    }

    /** Returns the grant that is handed directly to the next waiter: after a hold of 2 ms. */
    static LocalGrant next(LeaseRecord record) {
        return Objects.requireNonNull(record.next(record.grantedAt() + LONG, 0));
    }

    /** Returns the grant that is left open for a while: after a hold of no time. */
    static LocalGrant nextAtOnce(LeaseRecord record) {
        return Objects.requireNonNull(record.next(record.grantedAt(), 0));
    }

    static LeaseRecord held() {
        LeaseRecord record = acquiring();
        grant(record);
        return record;
    }

    /**
     * Returns a held lease after a renewal without an answer: another state than the one that a confirmation leads
     * to.
     */
    static LeaseRecord unconfirmed() {
        LeaseRecord record = held();
        record.apply(LeaseEvent.UNANSWERED);
        return record;
    }

    /** Records a grant by a request of second 0. */
    static void grant(LeaseRecord record) {
        record.granted(TOKEN, 0, SPAN, 0);
    }

    /** Records a confirmation by a request of this second. */
    static LeaseState confirm(LeaseRecord record, int second) {
        return record.confirmed(second * SECOND, SPAN, 0, true).after();
    }

    /** Records the loss, like the engine; returns false if the lease is over already. */
    static boolean lose(LeaseRecord record) {
        return record.notice()
                        .lose(() -> record.apply(LeaseEvent.DEADLINE_PASSED).became(LeaseState.LOST), LOSS)
                != null;
    }

    /** Releases, and returns the state before. */
    static LeaseState release(LeaseRecord record) {
        return record.notice()
                .release(() -> record.apply(LeaseEvent.RELEASE_CALLED))
                .before();
    }

    /** Returns the second of the request that the deadline counts from; -1 if there is none. */
    static long deadlineFrom(LeaseRecord record) {
        long deadline = record.validUntil(0);
        return deadline == 0 ? -1 : (deadline + Validity.drift(SPAN) - SPAN) / SECOND;
    }
}
