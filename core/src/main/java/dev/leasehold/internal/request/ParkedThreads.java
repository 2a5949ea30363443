package dev.leasehold.internal.request;

import dev.leasehold.spi.TimeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The threads that pause between two tries; closing the client wakes them. */
public final class ParkedThreads {

    private final TimeSource time;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    public ParkedThreads(TimeSource time) {
        this.time = time;
    }

    /** Pauses the calling thread for a time, unless it is over or woken; may return early. */
    public void pause(BooleanSupplier over, long nanos) {
        Thread caller = Thread.currentThread();
        waiting.add(caller);
        try {
            // Checked after the thread was added, so that a close between the two steps is not missed.
            if (!over.getAsBoolean()) {
                time.pause(nanos);
            }
        } finally {
            waiting.remove(caller);
        }
    }

    public void wakeAll() {
        waiting.forEach(LockSupport::unpark);
    }
}
