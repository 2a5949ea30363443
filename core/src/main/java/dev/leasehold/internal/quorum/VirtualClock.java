package dev.leasehold.internal.quorum;

import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.TimeSource;

/**
 * The time that the engine uses as its server's time: the local monotonic clock, as a time of day. It is never compared
 * with the clock of a server, which {@link Node} estimates.
 */
final class VirtualClock {

    private static final long NANOS_PER_MICRO = 1000;

    private final long origin;
    private final long originMicros;

    VirtualClock(TimeSource time) {
        this.origin = time.nanoTime();
        this.originMicros = time.wallMillis() * 1000;
    }

    ServerTime at(long nanos) {
        return new ServerTime(originMicros + (nanos - origin) / NANOS_PER_MICRO);
    }
}
