package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;

/**
 * The attempts to release one hold. They tell a release from a loss if Redis, when it answers at last, no longer has the hold: an
 * earlier attempt may have removed it, or have asked Redis to end it early, or it ended by itself after its holder had released it in
 * time. What happened to a hold after that costs nobody anything. Safe for use by the threads of one release after another.
 */
public final class ReleaseAttempts {

    private final LeaseRecord record;
    private volatile boolean calledInTime;
    private volatile boolean leftInTime;
    private volatile boolean endsEarly;
    /** The earliest end, if it ends early. */
    private volatile long earlyEnd;

    public ReleaseAttempts(LeaseRecord record) {
        this.record = record;
    }

    /** Records that the holder releases the lease at this moment, and that a request is needed for that. */
    public void begin(long now, long surplus) {
        calledInTime = inTime(now, surplus);
    }

    /** Returns whether the lease is valid at this moment. */
    private boolean inTime(long now, long surplus) {
        return now - record.validUntil(surplus) < 0;
    }

    /** Records that an attempt got no answer, and may have removed the hold. */
    public void unanswered(long sentAt, long surplusAtSend) {
        leftInTime |= inTime(sentAt, surplusAtSend);
    }

    /** Records a request, sent at this moment, after which the hold lasts for this time only. */
    public void endsEarly(long sentAt, long surplusAtSend, long nanos) {
        earlyEnd = sentAt + nanos - Validity.drift(nanos);
        endsEarly = inTime(sentAt, surplusAtSend);
    }

    /**
     * Returns whether they explain that Redis does not have the hold at this moment. A hold that is there and has ended was not
     * removed by an attempt.
     */
    public boolean explain(LossCause reported, long now, long surplus) {
        return (leftInTime && reported != LossCause.ENDED)
                || (endsEarly && now - earlyEnd >= 0)
                || (calledInTime && !inTime(now, surplus));
    }
}
