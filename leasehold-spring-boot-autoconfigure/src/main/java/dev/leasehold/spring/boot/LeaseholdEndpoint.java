package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@code /actuator/leasehold}: what this instance holds and waits for, without asking anybody; {@code /actuator/leasehold/{name}}: who
 * holds that lock, of all processes, as Redis knows it; and, if {@code leasehold.endpoint.allow-forced-release} says so, its release by
 * DELETE.
 */
@Endpoint(id = "leasehold")
public final class LeaseholdEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    private static final String NOT_ALLOWED =
            "nothing was done: forced release is switched off, because the holder may still be"
                    + " working. leasehold.endpoint.allow-forced-release=true switches it on";

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final boolean allowForcedRelease;

    LeaseholdEndpoint(Leasehold leasehold, HeldLeases held, boolean allowForcedRelease) {
        this.leasehold = leasehold;
        this.held = held;
        this.allowForcedRelease = allowForcedRelease;
    }

    /**
     * What the endpoint tells.
     *
     * @param held the leases of this instance, by lock and owner
     * @param waiting how many calls of this instance wait, by lock
     * @param lastRenewalLag how long after it was due the last renewal was confirmed, or null before the first
     */
    public record Description(
            List<HeldLock> held,
            List<WantedLock> waiting,
            @Nullable Duration lastRenewalLag) {}

    /**
     * A lock that this instance holds.
     *
     * @param lock its name
     * @param owner the named owner, or the first characters of the id of the acquisition
     * @param leases how many leases this owner has here
     */
    public record HeldLock(String lock, String owner, int leases) {}

    /**
     * A lock that calls of this instance wait for.
     *
     * @param lock its name
     * @param calls how many wait
     */
    public record WantedLock(String lock, int calls) {}

    /**
     * Who holds a lock, of all processes.
     *
     * @param lock its name
     * @param holder the holder, or null if nobody holds it
     */
    public record Holder(String lock, @Nullable LockInfo holder) {}

    /**
     * What became of a forced release.
     *
     * @param lock its name
     * @param allowed whether {@code leasehold.endpoint.allow-forced-release} allows it; if not, nothing was done
     * @param released whether somebody held it, who does not any more
     * @param formerHolder who held it just before, or null if nobody did
     * @param reason why it is not allowed and what to do about it, or null if it is
     */
    public record ForcedRelease(
            String lock,
            boolean allowed,
            boolean released,
            @Nullable LockInfo formerHolder,
            @Nullable String reason) {}

    /**
     * Tells what this instance holds and waits for, as far as it was told of by events; what began just now may be missing.
     *
     * @return the description
     */
    @ReadOperation
    public Description describe() {
        List<HeldLock> locks = held.held().entrySet().stream()
                .map(entry -> new HeldLock(entry.getKey().lock(), entry.getKey().owner(), entry.getValue()))
                .sorted(Comparator.comparing(HeldLock::lock).thenComparing(HeldLock::owner))
                .toList();
        List<WantedLock> wanted = held.waiting().entrySet().stream()
                .map((Map.Entry<String, Integer> entry) -> new WantedLock(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(WantedLock::lock))
                .toList();
        return new Description(locks, wanted, held.lastLag());
    }

    /**
     * Asks Redis who holds a lock.
     *
     * @param name the lock
     * @return its holder
     * @throws IllegalArgumentException if the name breaks the rules of lock names
     * @throws dev.leasehold.ForeignKeyException if something that is no lock lies under its key
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    @ReadOperation
    public Holder holder(@Selector String name) {
        return new Holder(name, leasehold.inspector().find(name).orElse(null));
    }

    /**
     * Takes a lock away from whoever holds it, if that is allowed. An emergency measure: the holder is told at its next renewal at the
     * latest, and may go on working until then; only a resource that checks the fencing token refuses it.
     *
     * @param name the lock
     * @return whether it was allowed, and what was released
     * @throws IllegalArgumentException if the name breaks the rules of lock names
     * @throws dev.leasehold.ForeignKeyException if something that is no lock lies under its key
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command time-out
     */
    @DeleteOperation
    public ForcedRelease forceRelease(@Selector String name) {
        if (!allowForcedRelease) {
            return new ForcedRelease(name, false, false, null, NOT_ALLOWED);
        }
        LockInfo holder = leasehold.inspector().find(name).orElse(null);
        boolean released = leasehold.lock(name).forceRelease();
        if (released) {
            LOG.warn("a lock was taken away from its holder by the actuator: {}", leasehold.lock(name));
        }
        return new ForcedRelease(name, true, released, holder, null);
    }
}
