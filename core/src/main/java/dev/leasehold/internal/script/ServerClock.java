package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ServerTime;

/**
 * An estimate of Redis TIME from the last one seen and the local moment before its request was sent. Redis read its clock
 * after that moment, so the estimate is never behind Redis by more than the drift of the clocks.
 */
final class ServerClock {

    private static final long NANOS_PER_MICRO = 1000;

    private volatile Sample sample;

    private record Sample(ServerTime time, long sentAt) {}

    private ServerClock(Sample sample) {
        this.sample = sample;
    }

    /** Creates an estimate from a first Redis time, requested at this local moment. */
    ServerClock(ServerTime first, long sentAt) {
        this(new Sample(first, sentAt));
    }

    /** Returns an estimate of its own that begins with this one. */
    ServerClock copy() {
        return new ServerClock(sample);
    }

    /** Records the Redis time of an answer to a request that was sent at this local moment. */
    void seen(ServerTime time, long sentAt) {
        Sample last = sample;
        if (time.micros() > 0 && sentAt - last.sentAt >= 0) {
            sample = new Sample(time, sentAt);
        }
    }

    /** Returns the latest Redis time that a local moment can correspond to. */
    ServerTime at(long localNanos) {
        Sample last = sample;
        return new ServerTime(last.time.micros() + (localNanos - last.sentAt) / NANOS_PER_MICRO);
    }
}
