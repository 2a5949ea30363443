package dev.leasehold.testkit;

/**
 * The fate of one request in a simulated network. All times are in nanoseconds.
 *
 * @param requestNanos the time that the request takes to the server
 * @param replyNanos the time that the reply takes back
 * @param requestLost whether the request never arrives; a second copy may
 * @param replyLost whether the reply never arrives
 * @param secondCopyAfterNanos the time from the arrival of the first copy of the request to the arrival of a second
 *     one, whatever happened in between; the reply to the second is discarded. -1 if there is no second copy
 * @param connectionLost whether the caller learns that the connection broke, at the time of the reply and instead
 *     of it
 */
public record Fate(
        long requestNanos,
        long replyNanos,
        boolean requestLost,
        boolean replyLost,
        long secondCopyAfterNanos,
        boolean connectionLost) {

    /** A request that is answered on the caller's own stack, as by a blocking client. */
    public static final Fate AT_ONCE = new Fate(0, 0, false, false, -1, false);

    /** Validates the times. */
    public Fate {
        if (requestNanos < 0 || replyNanos < 0 || secondCopyAfterNanos < -1) {
            throw new IllegalArgumentException("nothing arrives before it was sent: requestNanos " + requestNanos
                    + ", replyNanos " + replyNanos + ", secondCopyAfterNanos " + secondCopyAfterNanos);
        }
    }

    /**
     * Returns the fate of a request that is answered after this time, half of which it takes to the server.
     *
     * @param nanos the time there and back
     */
    public static Fate after(long nanos) {
        return new Fate(nanos / 2, nanos - nanos / 2, false, false, -1, false);
    }
}
