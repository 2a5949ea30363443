package dev.leasehold.internal.store;

import dev.leasehold.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks of the servers behind a transport. The nodes of a cluster may disagree, so each shard has its own, which its answers
 * set. Where shards are not known there is one. Safe for use by any thread.
 */
public final class ServerClocks {

    private final TimeSource time;
    private final Clock first;
    private final Map<String, Clock> byShard = new ConcurrentHashMap<>();

    /** Begins with the time of one of the servers, which was asked for at this local moment. */
    public ServerClocks(TimeSource time, ServerTime first, long sentAt) {
        this.time = time;
        this.first = new Clock(first, sentAt);
    }

    /** The local time. */
    public long now() {
        return time.nanoTime();
    }

    /** The clock of a shard; of all servers if shards are not known, and the shard is empty. */
    public Clock of(String shard) {
        return shard.isEmpty() ? first : byShard.computeIfAbsent(shard, unknown -> first.copy());
    }

    /**
     * An estimate of Redis TIME from the last one seen and the local moment before its request was sent. Redis read its clock
     * after that moment, so the estimate is never behind Redis by more than the drift of the clocks.
     */
    public static final class Clock {

        private static final long NANOS_PER_MICRO = 1000;

        private volatile Sample sample;

        private record Sample(ServerTime time, long sentAt) {}

        private Clock(Sample sample) {
            this.sample = sample;
        }

        /** Creates an estimate from a first Redis time, requested at this local moment. */
        Clock(ServerTime first, long sentAt) {
            this(new Sample(first, sentAt));
        }

        /** Returns an estimate of its own that begins with this one. */
        Clock copy() {
            return new Clock(sample);
        }

        /** Records the Redis time of an answer to a request that was sent at this local moment. */
        public void seen(ServerTime time, long sentAt) {
            Sample last = sample;
            if (time.micros() > 0 && sentAt - last.sentAt >= 0) {
                sample = new Sample(time, sentAt);
            }
        }

        /** Returns the latest Redis time that a local moment can correspond to. */
        public ServerTime at(long localNanos) {
            Sample last = sample;
            return new ServerTime(last.time.micros() + (localNanos - last.sentAt) / NANOS_PER_MICRO);
        }
    }
}
