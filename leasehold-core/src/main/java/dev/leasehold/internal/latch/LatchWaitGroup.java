package dev.leasehold.internal.latch;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.Waiter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The awaits of this client of one latch. They have one place in Redis, and what one of them sees all know that waited when it
 * looked.
 */
final class LatchWaitGroup {

    private static final long SPARED_NANOS = 4_000_000_000L;
    private static final long SPARED_UNCALLED_NANOS = 700_000_000L;

    final LockKey key;
    final Set<LatchWaiter> seats = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean entering = new AtomicBoolean();
    private volatile long place;
    private volatile long sparedUntil;

    LatchWaitGroup(LockKey key, long now) {
        this.key = key;
        this.sparedUntil = now;
    }

    /** As whom one of them asks next, where the client can hear. While one takes the place the others take none. */
    Waiter waiter(String channel) {
        long known = place;
        return known > 0 || entering.compareAndSet(false, true) ? new Waiter(channel, known) : Waiter.NONE;
    }

    /** Whether the client is woken, or is about to be entered among those who are. */
    boolean willBeCalled() {
        return place > 0 || entering.get();
    }

    /** Redis answered who asked with a channel; 0 if there was no place. */
    void placed(long given) {
        place = given;
        entering.set(false);
    }

    /** Who asked with a channel got no answer. */
    void notPlaced() {
        entering.set(false);
    }

    /** One of them has looked: a look of another, if it is due only because time has passed, can wait. */
    void looked(long sentAt, long leftNanos) {
        sparedUntil = sentAt + Math.min(willBeCalled() ? SPARED_NANOS : SPARED_UNCALLED_NANOS, leftNanos);
    }

    long sparedUntil() {
        return sparedUntil;
    }
}
