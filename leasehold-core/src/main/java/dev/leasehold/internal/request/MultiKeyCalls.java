package dev.leasehold.internal.request;

/** Whether one call may carry keys of any slots, as on a single server, or of one slot only, as in a cluster. */
public final class MultiKeyCalls {

    private volatile boolean acrossSlots;

    public MultiKeyCalls(boolean acrossSlots) {
        this.acrossSlots = acrossSlots;
    }

    public boolean acrossSlots() {
        return acrossSlots;
    }

    /** Records that the server has slots after all, as a proxy in front of a cluster may hide. */
    public void keepToSlots() {
        acrossSlots = false;
    }
}
