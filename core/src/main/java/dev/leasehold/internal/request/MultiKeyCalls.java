package dev.leasehold.internal.request;

import dev.leasehold.spi.ServerDescription.Capability;

/** The permission to send keys of different slots in one call: granted on a single server, denied in a cluster. */
public final class MultiKeyCalls {

    private final ServerFeatures features;
    private volatile boolean restricted;

    public MultiKeyCalls(ServerFeatures features) {
        this.features = features;
    }

    public boolean acrossSlots() {
        return !restricted && features.include(Capability.CALLS_ACROSS_SLOTS);
    }

    /** Records that the server is a cluster after all, which a proxy may have hidden. */
    public void restrictToOneSlot() {
        restricted = true;
    }
}
