package dev.leasehold.internal.lease;

/** The change of state by an event. */
public record Transition(LeaseState before, LeaseState after) {

    /** Returns whether the event led to this state from another one. */
    public boolean became(LeaseState state) {
        return after == state && before != state;
    }
}
