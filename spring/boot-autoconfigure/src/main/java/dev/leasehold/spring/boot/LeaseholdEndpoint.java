package dev.leasehold.spring.boot;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint. {@code /actuator/leasehold} lists the locks that this instance holds and waits for, without a
 * request to Redis. {@code /actuator/leasehold/{name}} reads the holder of that lock from Redis, and DELETE releases
 * the lock if {@code leasehold.endpoint.allow-forced-release} permits it; DELETE of {@code /actuator/leasehold/{name}/{token}}
 * does so only if the holder has that fencing token. DELETE of {@code /actuator/leasehold} releases all leases of this instance
 * if {@code leasehold.endpoint.allow-release-all} permits it. Each DELETE also needs a user with the role of
 * {@code leasehold.console.actions-role}, unless {@code leasehold.endpoint.allow-without-role} is set, and is logged with the user.
 */
@Endpoint(id = "leasehold")
public final class LeaseholdEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    private static final String NOT_ALLOWED =
            "not released: forced release is switched off, because the holder may still be"
                    + " working. leasehold.endpoint.allow-forced-release=true switches it on";

    private static final String ALL_NOT_ALLOWED =
            "not released: releasing all leases is switched off, because their holders may still be"
                    + " working. leasehold.endpoint.allow-release-all=true switches it on";

    private static final String NO_ROLE =
            "not released: no role is named whose users may do so. leasehold.console.actions-role names it;"
                    + " leasehold.endpoint.allow-without-role=true demands none";

    private static final String NOT_IN_ROLE =
            "not released: the user does not have the role that leasehold.console.actions-role names";

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final LeaseholdProperties.Endpoint permissions;
    private final @Nullable String role;

    LeaseholdEndpoint(Leasehold leasehold, HeldLeases held, LeaseholdProperties properties) {
        this.leasehold = leasehold;
        this.held = held;
        this.permissions = properties.endpoint();
        this.role = properties.console().actionsRole();
    }

    /**
     * The answer of the endpoint.
     *
     * @param held the leases of this instance, by lock and owner
     * @param waiting the numbers of waiting calls of this instance, by lock
     * @param lastRenewalLag the time from the due time of the last renewal to its confirmation, or null before the
     *     first
     */
    public record Description(
            List<HeldLock> held,
            List<WantedLock> waiting,
            @Nullable Duration lastRenewalLag) {}

    /**
     * A lock that this instance holds.
     *
     * @param lock the name of the lock
     * @param owner the named owner, or the first characters of the id of the acquisition
     * @param leases the number of leases of this owner in this instance
     */
    public record HeldLock(String lock, String owner, int leases) {}

    /**
     * A lock that calls of this instance wait for.
     *
     * @param lock the name of the lock
     * @param calls the number of waiting calls
     */
    public record WantedLock(String lock, int calls) {}

    /**
     * The holder of a lock, of all processes.
     *
     * @param lock the name of the lock
     * @param holder the holder, with the names of {@link LockInfo}, or null if the lock is free
     */
    public record Holder(String lock, @Nullable Map<String, @Nullable Object> holder) {}

    /**
     * The result of a forced release.
     *
     * @param lock the name of the lock
     * @param allowed whether {@code leasehold.endpoint.allow-forced-release} and the role of the user permit it; if not, nothing was
     *     changed
     * @param released whether the lock was held and is released now
     * @param formerHolder the holder just before, or null if there was none
     * @param reason the reason why the release is not allowed, and the remedy, or null if it is allowed
     */
    public record ForcedRelease(
            String lock,
            boolean allowed,
            boolean released,
            @Nullable Map<String, @Nullable Object> formerHolder,
            @Nullable String reason) {}

    /**
     * The result of the release of all leases of this instance.
     *
     * @param allowed whether {@code leasehold.endpoint.allow-release-all} and the role of the user permit it; if not, nothing was
     *     changed
     * @param released the leases that were taken away from their holders, each with whether Redis confirmed it
     * @param reason the reason why the release is not allowed, and the remedy, or null if it is allowed
     */
    public record ReleaseOfAll(
            boolean allowed,
            List<ReleasedLease> released,
            @Nullable String reason) {}

    /**
     * Lists the locks that this instance holds and waits for, from the client's events; the latest change may be
     * missing.
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
     * Reads the holder of a lock from Redis.
     *
     * @param name the lock
     * @return the holder
     * @throws IllegalArgumentException if the name breaks the rules of lock names
     * @throws dev.leasehold.ForeignKeyException if its key holds a value that is not a lock
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    @ReadOperation
    public Holder holder(@Selector String name) {
        return new Holder(name, described(name));
    }

    /**
     * Takes a lock away from its holder, if that is allowed. An emergency measure: the holder is notified at its next
     * renewal at the latest, and may continue to work until then. Only a resource that checks the fencing token refuses
     * its writes.
     *
     * @param name the lock
     * @param user the user of the request
     * @return the result, with the former holder
     * @throws IllegalArgumentException if the name breaks the rules of lock names
     * @throws dev.leasehold.ForeignKeyException if its key holds a value that is not a lock
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    @DeleteOperation
    public ForcedRelease forceRelease(@Selector String name, SecurityContext user) {
        return takeAway(name, user, DistributedLock::forceRelease);
    }

    /**
     * Takes a lock away from the holder with this fencing token and from no other, if that is allowed, like {@link #forceRelease}.
     *
     * @param name the lock
     * @param fencingToken the token of the holder, as {@link #holder} shows it
     * @param user the user of the request
     * @return the result, with the holder just before
     * @throws IllegalArgumentException if the name breaks the rules of lock names, or the token is not greater than 0
     * @throws dev.leasehold.ForeignKeyException if its key holds a value that is not a lock
     * @throws dev.leasehold.LockUnavailableException if Redis did not answer within the command timeout
     */
    @DeleteOperation
    public ForcedRelease forceReleaseByToken(@Selector String name, @Selector long fencingToken, SecurityContext user) {
        return takeAway(name, user, lock -> lock.forceRelease(fencingToken));
    }

    /** Returns the holder of a lock by name and value, which every mapper can write; null if the lock is free. */
    private @Nullable Map<String, @Nullable Object> described(String name) {
        LockInfo holder = leasehold.lock(name).inspect().orElse(null);
        if (holder == null) {
            return null;
        }
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("name", holder.name());
        shown.put("owner", holder.owner());
        shown.put("ownerNamed", holder.ownerNamed());
        shown.put("host", holder.host());
        shown.put("pid", holder.pid());
        shown.put("thread", holder.thread());
        shown.put("since", holder.since());
        shown.put("left", holder.left());
        shown.put("fencingToken", holder.fencingToken());
        shown.put("count", holder.count());
        shown.put("label", holder.label());
        shown.put("handsOff", holder.handsOff());
        shown.put("retained", holder.retained());
        shown.put("shared", holder.shared());
        shown.put("permitsHeld", holder.permitsHeld());
        shown.put("permits", holder.permits());
        shown.put(
                "waiters",
                holder.waiters().stream().map(LeaseholdEndpoint::described).toList());
        shown.put("problem", holder.problem());
        return shown;
    }

    private static Map<String, @Nullable Object> described(WaiterInfo waiter) {
        Map<String, @Nullable Object> shown = new LinkedHashMap<>();
        shown.put("position", waiter.position());
        shown.put("wants", waiter.wants());
        shown.put("permits", waiter.permits());
        shown.put("owner", waiter.owner());
        shown.put("host", waiter.host());
        shown.put("pid", waiter.pid());
        shown.put("thread", waiter.thread());
        shown.put("since", waiter.since());
        shown.put("alive", waiter.alive());
        return shown;
    }

    private ForcedRelease takeAway(String name, SecurityContext user, Predicate<DistributedLock> taken) {
        String refusal = permissions.allowForcedRelease() ? refusal(user) : NOT_ALLOWED;
        if (refusal != null) {
            return new ForcedRelease(name, false, false, null, refusal);
        }
        Map<String, @Nullable Object> holder = described(name);
        DistributedLock lock = leasehold.lock(name);
        boolean released = taken.test(lock);
        if (released) {
            LOG.warn(
                    "a lock was taken away from its holder by the actuator, user '{}': {}",
                    HeldLeases.nameOf(user.getPrincipal()),
                    lock);
        }
        return new ForcedRelease(name, true, released, holder, null);
    }

    /** Returns why a user may not take leases away, or null. */
    private @Nullable String refusal(SecurityContext user) {
        if (permissions.allowWithoutRole()) {
            return null;
        }
        if (role == null || role.isBlank()) {
            return NO_ROLE;
        }
        return user.isUserInRole(role) ? null : NOT_IN_ROLE;
    }

    /**
     * Takes all leases of this instance away from their holders, if that is allowed. An emergency measure, for an instance
     * that does not release by itself: the holders are notified of the loss before Redis has released the first lock, and
     * may continue to work. Only a resource that checks the fencing token refuses their writes. The instance continues to
     * acquire locks.
     *
     * @param user the user of the request
     * @return the result, with the leases
     * @throws IllegalStateException if the client is closed
     */
    @DeleteOperation
    public ReleaseOfAll releaseAll(SecurityContext user) {
        String refusal = permissions.allowReleaseAll() ? refusal(user) : ALL_NOT_ALLOWED;
        if (refusal != null) {
            return new ReleaseOfAll(false, List.of(), refusal);
        }
        List<ReleasedLease> released = leasehold.releaseAll();
        LOG.warn(
                "all leases of this instance were released by the actuator, user '{}': {}",
                HeldLeases.nameOf(user.getPrincipal()),
                released.size());
        return new ReleaseOfAll(true, released, null);
    }
}
