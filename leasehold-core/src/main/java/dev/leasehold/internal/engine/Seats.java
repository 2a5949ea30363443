package dev.leasehold.internal.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Threads that pause between two tries; closing the client wakes them. */
final class Seats {

    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /** Parks for a time, unless woken; may return early. */
    void pause(Object blocker, long nanos) {
        Thread me = Thread.currentThread();
        waiting.add(me);
        try {
            LockSupport.parkNanos(blocker, nanos);
        } finally {
            waiting.remove(me);
        }
    }

    void wakeAll() {
        waiting.forEach(LockSupport::unpark);
    }
}
