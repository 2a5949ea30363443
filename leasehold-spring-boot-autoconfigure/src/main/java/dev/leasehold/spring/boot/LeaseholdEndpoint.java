package dev.leasehold.spring.boot;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/leasehold}: what this instance holds. It only reads, and asks nobody. */
@Endpoint(id = "leasehold")
public final class LeaseholdEndpoint {

    private final HeldLeases held;

    LeaseholdEndpoint(HeldLeases held) {
        this.held = held;
    }

    /**
     * What the endpoint tells.
     *
     * @param held the leases of this instance, by lock and owner
     * @param lastRenewalLag how long after it was due the last renewal was confirmed, or null before the first
     */
    public record Description(List<HeldLock> held, @Nullable Duration lastRenewalLag) {}

    /**
     * A lock that this instance holds.
     *
     * @param lock its name
     * @param owner the named owner, or the first characters of the id of the acquisition
     * @param leases how many leases this owner has here
     */
    public record HeldLock(String lock, String owner, int leases) {}

    /**
     * Tells what this instance holds, as far as it was told of by events; a lease that was taken just now may be missing.
     *
     * @return the description
     */
    @ReadOperation
    public Description describe() {
        List<HeldLock> locks = held.held().entrySet().stream()
                .map(entry -> new HeldLock(entry.getKey().lock(), entry.getKey().owner(), entry.getValue()))
                .sorted(Comparator.comparing(HeldLock::lock).thenComparing(HeldLock::owner))
                .toList();
        return new Description(locks, held.lastLag());
    }
}
