package dev.leasehold.internal.request;

import dev.leasehold.spi.TimeSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads that pause between two tries; closing the client wakes them. */
public final class ParkedThreads {

    private final TimeSource time;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    public ParkedThreads(TimeSource time) {
        this.time = time;
    }

    /** Pauses for a time, unless woken; may return early. */
    public void pause(BooleanSupplier over, long nanos) {
        Thread me = Thread.currentThread();
        waiting.add(me);
        try {
            // Looked at after taking the seat, so that who closes between the two is not missed.
            if (!over.getAsBoolean()) {
                time.pause(nanos);
            }
        } finally {
            waiting.remove(me);
        }
    }

    public void wakeAll() {
        waiting.forEach(LockSupport::unpark);
    }
}
