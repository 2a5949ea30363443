package dev.leasehold.internal.script;

/**
 * A waiter in the queue of a lock.
 *
 * @param channel where it hears wake-ups; empty if it is not to wait
 * @param place its place, 0 if it has none yet
 * @param tokens how many fencing tokens it wants reserved, its own with those of its process to whom it will hand on
 * @param fair whether it overtakes nobody
 */
public record Waiter(String channel, long place, int tokens, boolean fair) {

    /** No waiter: a caller that does not wait, or polls. */
    public static final Waiter NONE = new Waiter("", 0);

    /** A waiter that needs one token, for itself alone. */
    public Waiter(String channel, long place) {
        this(channel, place, 1, false);
    }

    /** Whether it has a place or takes one. */
    public boolean waits() {
        return !channel.isEmpty();
    }
}
