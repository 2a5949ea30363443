package dev.leasehold.spring.boot;

import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.LockProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.*}. Values are checked when the client is built. An invalid value fails the start of
 * the application, with an error that names it.
 *
 * @param enabled whether the application has a Leasehold client and @Lock takes effect
 * @param uri the URI of Redis, such as redis://localhost:6379; needs leasehold-lettuce or leasehold-jedis. Without it
 *     the application's RedisConnectionFactory is used
 * @param quorum the URIs of several independent servers, of which a majority decides; instead of one URI
 * @param keyPrefix the prefix of the keys of all locks
 * @param clientName the name of the client in thread names and logs, and in CLIENT LIST with leasehold.uri; over Spring Data, CLIENT LIST
 *     shows spring.data.redis.client-name
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
 * @param metrics the meters of locks, with leasehold-micrometer
 * @param observations the observations of locks, from which tracing creates spans, with leasehold-micrometer
 * @param lockRegistry the lock registry of Spring Integration, with leasehold-spring-integration
 * @param shedlock the lock provider of ShedLock, with leasehold-shedlock
 * @param endpoint the permissions of the actuator endpoint
 * @param console the console in the browser, with leasehold-console
 * @param web the answers of a web application to requests that did not get their lock
 */
@ConfigurationProperties("leasehold")
public record LeaseholdProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String uri,
        @DefaultValue List<String> quorum,
        @DefaultValue("leasehold") String keyPrefix,
        @Nullable String clientName,
        @DefaultValue("5s") Duration connectTimeout,
        @DefaultValue("2s") Duration commandTimeout,
        @DefaultValue("10s") Duration outageTolerance,
        @Nullable Duration maxLeaseTime,
        @DefaultValue("1m") Duration rememberTokens,
        @DefaultValue("warn") Preflight preflight,
        @DefaultValue("500ms") Duration nodeTimeout,
        @DefaultValue("false") boolean startWithoutRedis,
        @Nullable Duration deadlockCheck,
        @DefaultValue("false") boolean shareStacks,
        @DefaultValue Lock lock,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Metrics metrics,
        @DefaultValue Observations observations,
        @DefaultValue LockRegistry lockRegistry,
        @DefaultValue Shedlock shedlock,
        @DefaultValue Endpoint endpoint,
        @DefaultValue Console console,
        @DefaultValue Web web) {

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
     * @param format the formats of locks by patterns of their names, in brackets if they have other characters than letters, digits and
     *     dashes, such as leasehold.lock.format[stock*]=redisson: plain, plain-any-value, redisson, redisson-polled, redisson-fenced, or
     *     spring-integration: with a registry key
     */
    public record Lock(
            @DefaultValue("30s") Duration leaseTime,
            @Nullable Double renewalRatio,
            @Nullable Integer maxRenewals,
            @Nullable Duration maxHold,
            @DefaultValue("false") boolean interruptOnLoss,
            @Nullable Duration pollInterval,
            @Nullable Integer maxTries,
            @DefaultValue("0") int replicas,
            @DefaultValue("false") boolean onDisk,
            @Nullable Duration acknowledgeTimeout,
            @Nullable Duration retainFor,
            @Nullable Duration minHold,
            @Nullable String label,
            @DefaultValue Map<String, String> format) {

        /**
         * Converts the properties to options.
         *
         * @return the checked options
         * @throws IllegalArgumentException if a value breaks its rule
         */
        public LockOptions options() {
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
    public record Shutdown(@DefaultValue("10s") Duration timeout) {}

    /**
     * The meters of locks, with leasehold-micrometer.
     *
     * @param enabled whether meters are registered, if there is a MeterRegistry
     * @param lockNames whether each lock has meters of its own, with its name as the tag "lock": only with few names. Those
     *     after the first 1,000 share the tag "(other)"
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean lockNames) {}

    /**
     * The observations of locks, with leasehold-micrometer.
     *
     * @param enabled whether acquisitions and holdings are observed, if there is an ObservationRegistry
     * @param lockNames whether observations have the name of the lock as the key "lock", of high cardinality
     */
    public record Observations(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean lockNames) {}

    /**
     * The lock registry of Spring Integration 7, with leasehold-spring-integration.
     *
     * @param enabled whether a registry is created, if the application has no LockRegistry of its own
     * @param namePrefix the prefix of each key in the name of its lock
     */
    public record LockRegistry(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("integration:") String namePrefix) {}

    /**
     * The lock provider of ShedLock, with leasehold-shedlock.
     *
     * @param enabled whether a provider is created, if the application has no LockProvider of its own
     * @param namePrefix the prefix of the job's name in the name of its lock
     * @param keepAlive whether the lock of a job is renewed while the job runs
     */
    public record Shedlock(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("job:") String namePrefix,
            @DefaultValue("false") boolean keepAlive) {}

    /**
     * The permissions of the actuator endpoint.
     *
     * @param allowForcedRelease whether the endpoint may take a lock away from its holder in any process, although the
     *     holder may still be working
     * @param allowReleaseAll whether the endpoint may release all leases of this instance, although their holders may still
     *     be working
     * @param allowWithoutRole whether a user needs no role for that; by default the role of leasehold.console.actions-role
     */
    public record Endpoint(
            @DefaultValue("false") boolean allowForcedRelease,
            @DefaultValue("false") boolean allowReleaseAll,
            @DefaultValue("false") boolean allowWithoutRole) {}

    /**
     * The console in the browser, with leasehold-console.
     *
     * @param enabled whether the console is served under /leasehold, on the port of the application, to users who have signed in
     * @param role the role, such as SUPPORT, whose users may read the console, besides those who may act; required unless
     *     allow-every-user is set
     * @param allowEveryUser whether every user who has signed in may read the console
     * @param actionsRole the role, such as OPERATOR, whose users may ask for a release and take locks away, here and by the actuator
     *     endpoint; by default nobody may
     * @param allowWithoutSecurity whether the console is also served without Spring Security, and to users who have not signed
     *     in: to everybody who reaches the port
     */
    public record Console(
            @DefaultValue("false") boolean enabled,
            @Nullable String role,
            @DefaultValue("false") boolean allowEveryUser,
            @Nullable String actionsRole,
            @DefaultValue("false") boolean allowWithoutSecurity) {}

    /**
     * The answers of a web application to requests that did not get their lock.
     *
     * @param enabled whether 409 or 503 with Retry-After is the answer, unless the application handles the exception itself
     */
    public record Web(@DefaultValue("true") boolean enabled) {}

    /**
     * Returns what names the client; the addresses of servers may have passwords.
     *
     * @return name and key prefix
     */
    @Override
    public String toString() {
        return "LeaseholdProperties[clientName=" + clientName + ", keyPrefix=" + keyPrefix + "]";
    }
}
