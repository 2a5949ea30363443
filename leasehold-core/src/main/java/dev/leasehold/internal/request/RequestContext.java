package dev.leasehold.internal.request;

import dev.leasehold.internal.script.LockScripts;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Timer;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * What a request to Redis needs besides its own arguments: clocks, timeouts, scripts, and whether the client is open. It
 * knows nothing of leases. Safe for use by any thread.
 *
 * @param clocks the machine's clocks
 * @param serverClock what is known of Redis TIME
 * @param timer the timing wheel
 * @param limits timeouts of the client
 * @param scripts the scripts of the client
 * @param lifecycle whether the client is open
 * @param atMostOnce whether the transport never sends a command twice
 * @param random random numbers from 0 to 1
 */
public record RequestContext(
        Clocks clocks,
        ServerClock serverClock,
        Timer timer,
        Limits limits,
        LockScripts scripts,
        Lifecycle lifecycle,
        boolean atMostOnce,
        DoubleSupplier random) {

    /** Monotonic time in ns. */
    public long now() {
        return clocks.now();
    }

    /** The sum by which the wall clock has run ahead of the monotonic clock, in ns. */
    public long surplus() {
        return clocks.surplus();
    }

    /** Returns the same sum; if it has grown, leases that depend on it become suspect first. */
    public long checkClocks() {
        return clocks.check();
    }

    /** The latest Redis time that a local moment can be. */
    public ServerTime serverTimeAt(long localNanos) {
        return serverClock.at(localNanos);
    }

    /** Records the Redis time of an answer to a request that was sent at this local moment. */
    public void seen(ServerTime time, long sentAt) {
        serverClock.seen(time, sentAt);
    }

    /** How long a caller waits for one answer, in ns. */
    public long commandNanos() {
        return limits.commandNanos();
    }

    /** A random number from 0 to 1. */
    public double jitter() {
        return random.getAsDouble();
    }

    public boolean closed() {
        return lifecycle.closed();
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        lifecycle.ensureOpen();
    }

    /** Requests that give something back and have no answer yet. */
    public Set<Object> unanswered() {
        return lifecycle.unanswered();
    }

    /**
     * Returns whether Redis may have executed the request, or may still: also after an error, if the transport may have sent
     * another copy, which arrives later and may succeed.
     */
    public boolean maybeExecuted(RuntimeException failure) {
        return RequestFailures.maybeExecuted(failure) || (failure instanceof RedisErrorException && !atMostOnce);
    }
}
