package dev.leasehold.internal.retain;

import dev.leasehold.internal.store.ServerTime;

/**
 * What Redis TIME is at least at a local moment. Redis read its clock before its answer arrived, so an answer that was late gives a
 * worse estimate than an earlier one.
 *
 * @param offset by how much Redis TIME is at least ahead of the local clock, in ns
 */
record EarliestServerTime(long offset) {

    private static final long NANOS_PER_MICRO = 1000;

    /** The estimate by one answer. */
    static EarliestServerTime by(ServerTime time, long answeredAt) {
        return new EarliestServerTime(time.micros() * NANOS_PER_MICRO - answeredAt);
    }

    /**
     * The estimate by one answer more: the better one of both. Redis read its clock after the request was sent, so an estimate by
     * which that clock was further then is wrong, as after the clock of Redis was set back.
     */
    EarliestServerTime and(ServerTime time, long sentAt, long answeredAt) {
        EarliestServerTime latest = by(time, answeredAt);
        return offset > by(time, sentAt).offset || latest.offset > offset ? latest : this;
    }

    /** Returns the local moment by which Redis TIME has come that far. */
    long reached(long micros) {
        return micros * NANOS_PER_MICRO - offset;
    }
}
