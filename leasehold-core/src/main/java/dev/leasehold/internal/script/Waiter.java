package dev.leasehold.internal.script;

/**
 * Who waits in the queue of a lock.
 *
 * @param channel where it hears wake-ups; empty if it is not to wait
 * @param place its place, 0 if it has none yet
 */
public record Waiter(String channel, long place) {

    /** Who does not wait, or asks again by itself. */
    public static final Waiter NONE = new Waiter("", 0);

    /** Whether it has a place or takes one. */
    public boolean waits() {
        return !channel.isEmpty();
    }
}
