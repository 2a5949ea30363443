package dev.leasehold.testkit;

/**
 * What becomes of one request. All times are in nanoseconds.
 *
 * @param requestNanos how long the request is under way to the server
 * @param replyNanos how long the reply is under way back
 * @param requestLost whether it never arrives; a second copy may
 * @param replyLost whether the reply never arrives
 * @param secondCopyAfterNanos after how long from the arrival of the first a copy of the request arrives, whatever came
 *     between; its reply goes nowhere. -1 if there is none
 * @param connectionLost whether the caller is told that the connection broke, when the reply would have come, instead of
 *     a reply
 */
public record Fate(
        long requestNanos,
        long replyNanos,
        boolean requestLost,
        boolean replyLost,
        long secondCopyAfterNanos,
        boolean connectionLost) {

    /** Answered on the caller's own stack, as by a client that blocks. */
    public static final Fate AT_ONCE = new Fate(0, 0, false, false, -1, false);

    /** Checks the times. */
    public Fate {
        if (requestNanos < 0 || replyNanos < 0 || secondCopyAfterNanos < -1) {
            throw new IllegalArgumentException("nothing arrives before it was sent: requestNanos " + requestNanos
                    + ", replyNanos " + replyNanos + ", secondCopyAfterNanos " + secondCopyAfterNanos);
        }
    }

    /**
     * Answered after this time, half of it under way to the server.
     *
     * @param nanos the time there and back
     */
    public static Fate after(long nanos) {
        return new Fate(nanos / 2, nanos - nanos / 2, false, false, -1, false);
    }
}
