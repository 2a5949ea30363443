package dev.leasehold.internal.jfr;

import dev.leasehold.internal.key.LockKey;

/** A stretch of time that a recording is told of when it is over. */
public interface Span {

    /**
     * It is over.
     *
     * @param outcome how it ended
     * @param token the fencing token, 0 if there is none
     * @param count tries or renewals
     */
    void over(LockKey key, String outcome, long token, int count);
}
