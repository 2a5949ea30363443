package dev.leasehold.internal.request;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.Timer;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * The environment of a request to Redis: clocks, timeouts, and the lifecycle of the client. It does not depend on
 * leases. Safe for use by any thread.
 *
 * @param clocks the machine's clocks
 * @param serverTimes as {@link dev.leasehold.internal.store.LockStore#serverTimeAt}
 * @param timer the timing wheel
 * @param limits the timeouts of the client
 * @param lifecycle the open or closed state of the client
 * @param features what the transport and the server can do
 * @param random random numbers from 0 to 1
 */
public record RequestContext(
        Clocks clocks,
        ServerTimes serverTimes,
        Timer timer,
        Limits limits,
        Lifecycle lifecycle,
        ServerFeatures features,
        DoubleSupplier random) {

    /** Tells the time of the server of a key. */
    @FunctionalInterface
    public interface ServerTimes {

        /** Returns the latest time that its clock can show at a local moment. */
        ServerTime at(String key, long localNanos);
    }

    /** The monotonic time in ns. */
    public long now() {
        return clocks.now();
    }

    /** The surplus: the sum by which the wall clock has run ahead of the monotonic clock, in ns. */
    public long surplus() {
        return clocks.surplus();
    }

    /** Returns the surplus; if it has grown, the leases that are affected become suspect first. */
    public long checkClocks() {
        return clocks.check();
    }

    /** Returns the latest time that the clock of a lock's server can show at a local moment. */
    public ServerTime serverTimeAt(LockKey key, long localNanos) {
        return serverTimes.at(key.key(), localNanos);
    }

    /** The time for which a caller waits for one answer, in ns. */
    public long commandNanos() {
        return limits.commandNanos();
    }

    /** Returns a random number from 0 to 1. */
    public double jitter() {
        return random.getAsDouble();
    }

    /** Returns whether the transport never sends a command twice. */
    public boolean atMostOnce() {
        return features.include(Capability.AT_MOST_ONCE);
    }

    public boolean closed() {
        return lifecycle.closed();
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        lifecycle.ensureOpen();
    }

    /** The releasing requests that Redis has not answered yet. */
    public Set<Object> unanswered() {
        return lifecycle.unanswered();
    }

    /**
     * Returns whether Redis may have executed the request, or may still execute it. This is possible even after an error: the
     * transport may have sent a second copy, which arrives later and may succeed.
     */
    public boolean maybeExecuted(RuntimeException failure) {
        return RequestFailures.maybeExecuted(failure) || (failure instanceof RedisErrorException && !atMostOnce());
    }
}
