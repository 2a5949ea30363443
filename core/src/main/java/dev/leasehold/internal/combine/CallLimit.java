package dev.leasehold.internal.combine;

import java.util.function.IntSupplier;

/**
 * The number of calls that may be under way at the same time: one, and one more for each 100 us of a round trip. So a call
 * returns about every 100 us, however far the server is, and a request waits no longer than that before it is sent.
 *
 * <p>The round trip is the shortest one of late. It falls at once, by any call, and rises slowly, by calls that were the only ones
 * under way and have one entry. Others take longer under load, and then less would be combined just when it is worth most. Safe
 * for use by any thread; a lost update does no harm.
 */
public final class CallLimit implements IntSupplier {

    private static final long NANOS_PER_CALL = 100_000;
    private static final int MOST = 1000;
    private static final int RISE = 64;

    private volatile long shortest;

    /**
     * A call was answered.
     *
     * @param nanos after so many ns
     * @param lone whether no other call was under way when it was sent, and it had one entry
     */
    void answered(long nanos, boolean lone) {
        long known = shortest;
        if (known == 0 || nanos < known) {
            shortest = nanos;
        } else if (lone) {
            shortest = known + (nanos - known) / RISE;
        }
    }

    @Override
    public int getAsInt() {
        return (int) Math.min(MOST, 1 + shortest / NANOS_PER_CALL);
    }
}
