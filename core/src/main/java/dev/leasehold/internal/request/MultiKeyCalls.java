package dev.leasehold.internal.request;

/** The permission to send keys of different slots in one call: granted on a single server, denied in a cluster. */
public final class MultiKeyCalls {

    private volatile boolean acrossSlots;

    public MultiKeyCalls(boolean acrossSlots) {
        this.acrossSlots = acrossSlots;
    }

    public boolean acrossSlots() {
        return acrossSlots;
    }

    /** Records that the server is a cluster after all, which a proxy may have hidden. */
    public void restrictToOneSlot() {
        acrossSlots = false;
    }
}
