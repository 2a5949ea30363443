package dev.leasehold.internal.engine;

/** Whether one call may carry keys of any slots, as on a single server, or of one slot only, as in a cluster. */
final class MultiKeyCalls {

    private volatile boolean acrossSlots;

    MultiKeyCalls(boolean acrossSlots) {
        this.acrossSlots = acrossSlots;
    }

    boolean acrossSlots() {
        return acrossSlots;
    }

    /** Records that the server has slots after all, as a proxy in front of a cluster may hide. */
    void keepToSlots() {
        acrossSlots = false;
    }
}
