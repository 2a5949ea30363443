package dev.leasehold.internal.lock;

import dev.leasehold.Durability;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.request.DurabilityMessages;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.Objects;

/** Refuses options that the client or its server cannot meet. */
public final class OptionsCheck {

    private final Limits limits;
    private final ServerFeatures features;

    public OptionsCheck(Limits limits, ServerFeatures features) {
        this.limits = limits;
        this.features = features;
    }

    /**
     * Checks options before anything is sent. What depends on a server that has not been reached yet is not refused.
     *
     * @throws IllegalArgumentException if the lease is longer than the client's maximum, or if the client cannot wait for the
     *     replicas or disks that the options ask for
     */
    public void check(LockOptions options) {
        limits.checkLease(Objects.requireNonNull(options, "options"));
        Durability durability = options.durability();
        if (!features.areKnown()) {
            return;
        }
        if (durability.enabled() && !features.include(Capability.WAITS_FOR_REPLICAS)) {
            throw DurabilityMessages.cannotWait(durability);
        }
        if (durability.onDisk() && !features.include(Capability.WAITS_FOR_DISKS)) {
            throw DurabilityMessages.noDisks(durability, features.version());
        }
    }
}
