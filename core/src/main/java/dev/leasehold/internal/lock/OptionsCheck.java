package dev.leasehold.internal.lock;

import dev.leasehold.Durability;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.request.DurabilityMessages;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.Objects;
import java.util.Set;

/** Refuses options that the client or its server cannot meet. */
public final class OptionsCheck {

    private final Limits limits;
    private final Set<Capability> capabilities;
    private final String serverVersion;

    public OptionsCheck(Limits limits, Set<Capability> capabilities, String serverVersion) {
        this.limits = limits;
        this.capabilities = capabilities;
        this.serverVersion = serverVersion;
    }

    /**
     * Checks options before anything is sent.
     *
     * @throws IllegalArgumentException if the lease is longer than the client's maximum, or if the client cannot wait for the
     *     replicas or disks that the options ask for
     */
    public void check(LockOptions options) {
        limits.checkLease(Objects.requireNonNull(options, "options"));
        Durability durability = options.durability();
        if (durability.enabled() && !capabilities.contains(Capability.WAITS_FOR_REPLICAS)) {
            throw DurabilityMessages.cannotWait(durability);
        }
        if (durability.onDisk() && !capabilities.contains(Capability.WAITS_FOR_DISKS)) {
            throw DurabilityMessages.noDisks(durability, serverVersion);
        }
    }
}
