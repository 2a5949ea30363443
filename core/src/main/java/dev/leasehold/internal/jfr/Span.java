package dev.leasehold.internal.jfr;

import dev.leasehold.internal.key.LockKey;

/** A period of time, which is recorded at its end. */
public interface Span {

    /**
     * Ends the period and records it.
     *
     * @param outcome how it ended
     * @param token the fencing token, 0 if there is none
     * @param count tries or renewals
     */
    void over(LockKey key, String outcome, long token, int count);
}
