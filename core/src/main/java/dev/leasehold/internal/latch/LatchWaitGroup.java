package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.store.Waiter;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The waiters of this client for one latch, or for one round of it. They share one registration in Redis, and the result of one poll counts for all
 * that waited when it was sent.
 */
final class LatchWaitGroup {

    private static final long SPARED_NANOS = 4_000_000_000L;
    private static final long SPARED_UNCALLED_NANOS = 700_000_000L;

    final LatchKey latch;
    /** In the order in which they came. */
    final Set<LatchWaiter> waiters = new ConcurrentSkipListSet<>(Comparator.comparingLong(waiter -> waiter.number));

    // Changed inside the map of LatchWaiters only.
    private long joined;

    private final AtomicBoolean entering = new AtomicBoolean();
    private volatile long place;
    private volatile long sparedUntil;

    LatchWaitGroup(LatchKey latch, long now, long position) {
        this.latch = latch;
        this.place = position;
        this.sparedUntil = now;
    }

    /** Adds a waiter. */
    LatchWaiter join(long now) {
        LatchWaiter waiter = new LatchWaiter(this, ++joined, now);
        waiters.add(waiter);
        return waiter;
    }

    /** The registration that the next poll sends. While one waiter registers the client, the others do not. */
    Waiter waiter(String channel) {
        long known = place;
        return known > 0 || entering.compareAndSet(false, true) ? new Waiter(channel, known) : Waiter.NONE;
    }

    /** Returns whether the client is registered for the wake-up, or about to be. */
    boolean willBeCalled() {
        return place > 0 || entering.get();
    }

    /** Redis answered a poll that carried a registration; the position is 0 if there was no room for it. */
    void registered(long given) {
        place = given;
        entering.set(false);
    }

    /** A poll that carried a registration got no answer. */
    void notRegistered() {
        entering.set(false);
    }

    /** One waiter has polled: polls of the others that are due only because time has passed can wait. */
    void polled(long sentAt, long leftNanos, boolean woken) {
        sparedUntil = sentAt + Math.min(woken ? SPARED_NANOS : SPARED_UNCALLED_NANOS, leftNanos);
    }

    long sparedUntil() {
        return sparedUntil;
    }
}
