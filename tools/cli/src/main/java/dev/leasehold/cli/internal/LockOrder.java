package dev.leasehold.cli.internal;

import dev.leasehold.inspect.LockInfo;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;

/** The orders in which locks are listed. Locks that are equal in an order follow one another by name. */
public enum LockOrder {
    /** By name. */
    NAME,
    /** The longest held first; locks whose age is unknown last. */
    AGE,
    /** The lease that ends next first. */
    LEFT,
    /** The most waiters first, then the longest wait. */
    WAITING;

    private static final Comparator<LockInfo> BY_NAME = Comparator.comparing(LockInfo::name);
    private static final Comparator<Instant> EARLIEST = Comparator.nullsLast(Comparator.naturalOrder());

    /**
     * Returns the comparator of this order.
     *
     * @return a comparator under which only locks of one name are equal
     */
    public Comparator<LockInfo> comparator() {
        Comparator<LockInfo> comparator = switch (this) {
            case NAME -> BY_NAME;
            case AGE -> Comparator.comparing(LockInfo::since, EARLIEST);
            case LEFT -> Comparator.comparing(LockInfo::left);
            case WAITING ->
                Comparator.comparing(LockQueue::of, Comparator.comparingInt(queue -> -queue.waiters()))
                        .thenComparing(lock -> LockQueue.of(lock).since(), EARLIEST);
        };
        return comparator.thenComparing(BY_NAME);
    }

    /**
     * Returns the order after this one, and the first after the last.
     *
     * @return the next order
     */
    public LockOrder next() {
        return switch (this) {
            case NAME -> AGE;
            case AGE -> LEFT;
            case LEFT -> WAITING;
            case WAITING -> NAME;
        };
    }

    /** Returns the word for the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
