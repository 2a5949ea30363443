package dev.leasehold.console.internal.observe;

import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A state that one thread reads again and again while somebody watches. Safe for use by several threads. */
abstract class PolledObservation implements Observation {

    /** The monotonic clock. */
    protected final TimeSource time;

    private final Signal signal = new Signal();
    private final Poller poller;

    /** The name is that of the thread. */
    PolledObservation(String name, TimeSource time) {
        this.time = time;
        poller = new Poller(name, this::round);
    }

    private Duration round() {
        try {
            return refresh();
        } finally {
            signal.raise();
        }
    }

    /** Reads the state, or notes why it could not, and returns the pause until the next refresh. */
    abstract Duration refresh();

    /** Returns the age of a time of the monotonic clock, in milliseconds. */
    public final long ageMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - nanos);
    }

    @Override
    public final void enter() {
        poller.enter();
    }

    @Override
    public final void leave() {
        poller.leave();
    }

    @Override
    public final long version() {
        return signal.version();
    }

    @Override
    public final boolean await(long seen, Duration limit) throws InterruptedException {
        return signal.await(seen, limit);
    }

    @Override
    public final void close() {
        poller.close();
    }
}
