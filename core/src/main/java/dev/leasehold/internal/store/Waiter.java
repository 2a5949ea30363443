package dev.leasehold.internal.store;

/**
 * A waiter in the queue of a lock.
 *
 * @param channel where it receives wake-ups; empty if it does not wait
 * @param position its position, 0 if it has none yet
 * @param tokens how many fencing tokens to reserve: its own, and those of waiters of its process to whom it may hand off
 * @param fair whether it overtakes no waiter
 */
public record Waiter(String channel, long position, int tokens, boolean fair) {

    /** No waiter: a caller that does not wait, or polls. */
    public static final Waiter NONE = new Waiter("", 0);

    /** A waiter that needs one token, for itself alone. */
    public Waiter(String channel, long position) {
        this(channel, position, 1, false);
    }

    /** Returns whether it has a position or takes one. */
    public boolean waits() {
        return !channel.isEmpty();
    }
}
