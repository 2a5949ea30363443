package dev.leasehold.micronaut;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.LockProperties;
import dev.leasehold.interop.Formats;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.MapFormat;
import io.micronaut.core.naming.conventions.StringConvention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties {@code leasehold.*}, with the names that they have in Spring Boot. Values are checked when the client is
 * built. An invalid value fails the start of the application, with an error that names it.
 *
 * @param uri the URI of Redis, such as redis://localhost:6379. Without it the client of micronaut-redis-lettuce is used
 * @param quorum the URIs of several independent servers, of which a majority decides; instead of one URI
 * @param keyPrefix the prefix of the keys of all locks
 * @param clientName the name of the client in thread names and logs, and in CLIENT LIST with leasehold.uri; over the Redis client of the
 *     application, CLIENT LIST shows its name
 * @param connectTimeout the longest time to wait for a connection
 * @param commandTimeout the longest time to wait for the answer to one request
 * @param outageTolerance how long an acquisition without a timeout keeps trying while Redis does not answer
 * @param maxLeaseTime the longest lease time that is accepted; by default one day, for a quorum one minute
 * @param rememberTokens how long Redis keeps the key of a lock after its last use
 * @param preflight the reaction to dangers that the check of the server finds at startup
 * @param nodeTimeout how long to wait for one server of a quorum
 * @param startWithoutRedis whether the application may start while Redis cannot be reached
 * @param deadlockCheck how long a caller has waited when the client looks for deadlocks; by default it does not look
 * @param shareStacks whether the stacks of waiting threads are told to whoever asks for deadlocks
 * @param lock the default options of locks
 * @param shutdown the shutdown of the application
 * @param metrics the meters of locks
 * @param endpoint the permissions of the management endpoint
 * @param web the answers to HTTP requests that did not get their lock
 */
@ConfigurationProperties("leasehold")
public record LeaseholdConfiguration(
        @Nullable String uri,
        @Nullable List<String> quorum,
        @Bindable(defaultValue = "leasehold") String keyPrefix,
        @Nullable String clientName,
        @Bindable(defaultValue = "5s") Duration connectTimeout,
        @Bindable(defaultValue = "2s") Duration commandTimeout,
        @Bindable(defaultValue = "10s") Duration outageTolerance,
        @Nullable Duration maxLeaseTime,
        @Bindable(defaultValue = "1m") Duration rememberTokens,
        @Bindable(defaultValue = "WARN") Preflight preflight,
        @Bindable(defaultValue = "500ms") Duration nodeTimeout,
        @Bindable(defaultValue = "false") boolean startWithoutRedis,
        @Nullable Duration deadlockCheck,
        @Bindable(defaultValue = "false") boolean shareStacks,
        Lock lock,
        Shutdown shutdown,
        Metrics metrics,
        Endpoint endpoint,
        Web web) {

    /**
     * The default options of locks.
     *
     * @param leaseTime how long Redis keeps a lock without a renewal
     * @param renewalRatio the part of the lease after which it is renewed, such as 0.5; 0 for no renewal, by default a
     *     third
     * @param maxRenewals the largest number of renewals of a lease; 0 for no renewal, by default as many as needed
     * @param maxHold the longest time for which a lease is renewed; by default without a limit
     * @param interruptOnLoss whether the thread that acquired is interrupted when the lease is lost
     * @param pollInterval the mean time between two tries of a waiter that polls; by default waiters are woken
     * @param maxTries the largest number of tries of an acquisition; by default as many as its time limit allows
     * @param replicas the number of replicas that must have a lock before it counts as acquired
     * @param onDisk whether the primary and these replicas must have it on disk
     * @param acknowledgeTimeout how long to wait for replicas, by default 200 ms, or for disks, by default 2 s; at most a third of
     *     the lease
     * @param retainFor for how long a client retains a hold after its release; by default not
     * @param minHold the shortest time for which Redis keeps a lock; by default none
     * @param label the text that is shown beside the holder
     * @param format the formats of locks by patterns of their names, such as leasehold.lock.format.stock=redisson: plain,
     *     plain-any-value, redisson, redisson-polled, redisson-fenced, or spring-integration: with a registry key
     */
    @ConfigurationProperties("lock")
    public record Lock(
            @Bindable(defaultValue = "30s") Duration leaseTime,
            @Nullable Double renewalRatio,
            @Nullable Integer maxRenewals,
            @Nullable Duration maxHold,
            @Bindable(defaultValue = "false") boolean interruptOnLoss,
            @Nullable Duration pollInterval,
            @Nullable Integer maxTries,
            @Bindable(defaultValue = "0") int replicas,
            @Bindable(defaultValue = "false") boolean onDisk,
            @Nullable Duration acknowledgeTimeout,
            @Nullable Duration retainFor,
            @Nullable Duration minHold,
            @Nullable String label,

            @Nullable @MapFormat(keyFormat = StringConvention.RAW, transformation = MapFormat.MapTransformation.FLAT)
            Map<String, String> format) {

        LockOptions options() {
            return LockOptions.builder()
                    .leaseTime(leaseTime)
                    .renewal(LockProperties.renewal(renewalRatio, maxRenewals))
                    .maxHold(maxHold)
                    .interruptOnLoss(interruptOnLoss)
                    .waitStrategy(LockProperties.waitStrategy(pollInterval, maxTries))
                    .durability(LockProperties.durability(replicas, onDisk, acknowledgeTimeout))
                    .retainFor(retainFor)
                    .minHold(minHold)
                    .label(label)
                    .build();
        }
    }

    /**
     * The shutdown of the application: it acquires no more locks, waits, releases the remaining locks and closes the
     * client.
     *
     * @param timeout the longest time to wait for the holders of locks to finish; 0 for no wait
     */
    @ConfigurationProperties("shutdown")
    public record Shutdown(@Bindable(defaultValue = "10s") Duration timeout) {}

    /**
     * The meters of locks, with leasehold-micrometer.
     *
     * @param enabled whether meters are registered, if there is a MeterRegistry
     * @param lockNames whether each lock has meters of its own, with its name as the tag "lock": only with few names
     */
    @ConfigurationProperties("metrics")
    public record Metrics(
            @Bindable(defaultValue = "true") boolean enabled,
            @Bindable(defaultValue = "false") boolean lockNames) {}

    /**
     * The permissions of the management endpoint.
     *
     * @param allowForcedRelease whether the endpoint may take a lock away from its holder in any process, although the
     *     holder may still be working
     * @param role the role of Micronaut Security that a user needs for it; by default none suffices
     * @param allowWithoutRole whether everybody may do it who reaches the endpoint
     */
    @ConfigurationProperties("endpoint")
    public record Endpoint(
            @Bindable(defaultValue = "false") boolean allowForcedRelease,
            @Nullable String role,
            @Bindable(defaultValue = "false") boolean allowWithoutRole) {}

    /**
     * The answers to HTTP requests that did not get their lock.
     *
     * @param enabled whether 409 or 503 with Retry-After is the answer, unless the application handles the exception itself
     */
    @ConfigurationProperties("web")
    public record Web(@Bindable(defaultValue = "true") boolean enabled) {}

    /** Applies the properties, except those of the server. */
    void applyTo(LeaseholdBuilder builder) {
        builder.keyPrefix(keyPrefix)
                .connectTimeout(connectTimeout)
                .commandTimeout(commandTimeout)
                .outageTolerance(outageTolerance)
                .rememberTokens(rememberTokens)
                .preflight(preflight)
                .nodeTimeout(nodeTimeout)
                .startWithoutRedis(startWithoutRedis)
                .shareStacks(shareStacks);
        if (clientName != null) {
            builder.clientName(clientName);
        }
        if (maxLeaseTime != null) {
            builder.maxLeaseTime(maxLeaseTime);
        }
        if (deadlockCheck != null) {
            builder.deadlockCheck(deadlockCheck);
        }
        if (lock.format() != null) {
            lock.format().forEach((pattern, format) -> builder.lockFormat(pattern, Formats.parse(format)));
        }
    }

    /**
     * Returns what names the client; the addresses of servers may have passwords.
     *
     * @return name and key prefix
     */
    @Override
    public String toString() {
        return "LeaseholdConfiguration[clientName=" + clientName + ", keyPrefix=" + keyPrefix + "]";
    }
}
