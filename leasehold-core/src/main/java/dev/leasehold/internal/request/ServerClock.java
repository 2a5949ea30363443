package dev.leasehold.internal.request;

import dev.leasehold.internal.script.ServerTime;

/**
 * What is known of Redis TIME: the last one seen, beside the local moment before its request was sent. Redis read its
 * clock after that moment, so an estimate from here never lies before the truth by more than clocks drift.
 */
public final class ServerClock {

    private static final long NANOS_PER_MICRO = 1000;

    private volatile Sample sample;

    private record Sample(ServerTime time, long sentAt) {}

    /** Begins with a time that was asked for at this local moment. */
    public ServerClock(ServerTime first, long sentAt) {
        sample = new Sample(first, sentAt);
    }

    /** Redis told this time to a request that was sent at this local moment. */
    public void seen(ServerTime time, long sentAt) {
        Sample last = sample;
        if (sentAt - last.sentAt >= 0) {
            sample = new Sample(time, sentAt);
        }
    }

    /** The latest Redis time that a local moment can be. */
    public ServerTime at(long localNanos) {
        Sample last = sample;
        return new ServerTime(last.time.micros() + (localNanos - last.sentAt) / NANOS_PER_MICRO);
    }
}
