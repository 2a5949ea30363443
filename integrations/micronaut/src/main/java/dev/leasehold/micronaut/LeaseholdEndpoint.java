package dev.leasehold.micronaut;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.inspect.LockInfo;
import io.micronaut.context.annotation.Requires;
import io.micronaut.management.endpoint.annotation.Delete;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.management.endpoint.annotation.Selector;
import java.security.Principal;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The management endpoint {@code leasehold}: lists the locks that this instance holds and waits for, reads the holder of a
 * lock from Redis, and takes a lock away if {@code leasehold.endpoint.allow-forced-release} permits it and the user has the role for it.
 */
@Endpoint("leasehold")
@Requires(classes = Endpoint.class)
final class LeaseholdEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.micronaut");

    private static final String NOT_ALLOWED =
            "the holder may still be working. leasehold.endpoint.allow-forced-release=true switches it on";
    private static final String NO_ROLE =
            "no role may do this. leasehold.endpoint.role names one, of Micronaut Security;"
                    + " leasehold.endpoint.allow-without-role=true lets everybody do it who reaches the endpoint";
    private static final String NOT_IN_ROLE = "the user does not have the role that leasehold.endpoint.role names";

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final LeaseholdConfiguration.Endpoint permissions;

    LeaseholdEndpoint(Leasehold leasehold, HeldLeases held, LeaseholdConfiguration configuration) {
        this.leasehold = leasehold;
        this.held = held;
        this.permissions = configuration.endpoint();
    }

    /** Lists the locks of this instance, from the client's events; the latest change may be missing. */
    @Read
    Map<String, Object> describe() {
        List<Map<String, Object>> locks = held.held().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().lock()))
                .map(entry -> Map.<String, Object>of(
                        "lock", entry.getKey().lock(), "owner", entry.getKey().owner(), "leases", entry.getValue()))
                .toList();
        return Map.of("held", locks, "waiting", held.waiting());
    }

    /** Reads the holder of a lock from Redis. */
    @Read
    Map<String, Object> holder(@Selector String name) {
        return leasehold
                .lock(name)
                .inspect()
                .map(holder -> Map.<String, Object>of("lock", name, "holder", describe(holder)))
                .orElse(Map.of("lock", name));
    }

    /** Returns texts and numbers, which every serializer of Micronaut knows. */
    private static Map<String, Object> describe(LockInfo holder) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("owner", holder.owner());
        shown.put("host", holder.host());
        shown.put("pid", holder.pid());
        shown.put("thread", holder.thread());
        if (holder.since() != null) {
            shown.put("since", holder.since().toString());
        }
        shown.put("leftMillis", holder.left().toMillis());
        shown.put("fencingToken", holder.fencingToken());
        shown.put("count", holder.count());
        if (holder.label() != null) {
            shown.put("label", holder.label());
        }
        shown.put("waiters", holder.waiters().size());
        if (holder.problem() != null) {
            shown.put("problem", holder.problem());
        }
        return shown;
    }

    /** Takes a lock away from its holder, if that is allowed. The holder may continue to work until its next renewal. */
    @Delete
    Map<String, Object> forceRelease(@Selector String name, @Nullable Principal user) {
        return takeAway(name, user, DistributedLock::forceRelease);
    }

    /** The same, but only if the holder has this fencing token. */
    @Delete
    Map<String, Object> forceReleaseByToken(
            @Selector String name, @Selector long fencingToken, @Nullable Principal user) {
        return takeAway(name, user, lock -> lock.forceRelease(fencingToken));
    }

    private Map<String, Object> takeAway(String name, @Nullable Principal user, Predicate<DistributedLock> taken) {
        String refusal = refusal(user);
        if (refusal != null) {
            return Map.of("lock", name, "allowed", false, "reason", refusal);
        }
        DistributedLock lock = leasehold.lock(name);
        boolean released = taken.test(lock);
        if (released) {
            LOG.warn(
                    "a lock was taken away from its holder by the management endpoint, user '{}': {}",
                    HeldLeases.nameOf(user),
                    lock);
        }
        return Map.of("lock", name, "allowed", true, "released", released);
    }

    /** Returns why a user may not take a lock away, or null. */
    private @Nullable String refusal(@Nullable Principal user) {
        if (!permissions.allowForcedRelease()) {
            return NOT_ALLOWED;
        }
        if (permissions.allowWithoutRole()) {
            return null;
        }
        String role = permissions.role();
        if (role == null || role.isBlank()) {
            return NO_ROLE;
        }
        return EndpointUser.hasRole(user, role) ? null : NOT_IN_ROLE;
    }
}
