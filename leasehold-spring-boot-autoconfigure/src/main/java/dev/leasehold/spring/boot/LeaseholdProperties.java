package dev.leasehold.spring.boot;

import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code leasehold.*}. Values are checked when the client is built; what breaks a rule is named, and the application
 * does not start.
 *
 * @param enabled whether there is a Leasehold client and @Lock takes effect
 * @param uri where Redis is, such as redis://localhost:6379; needs leasehold-lettuce or leasehold-jedis. Without it the
 *     application's RedisConnectionFactory is used
 * @param quorum the URIs of several independent servers, of which a majority decides; instead of one URI
 * @param keyPrefix what the keys of all locks begin with
 * @param clientName the name of the client in CLIENT LIST, thread names and logs
 * @param connectTimeout how long to wait for a connection
 * @param commandTimeout how long to wait for the answer to one request
 * @param outageTolerance how long an acquisition without a time-out keeps trying while Redis does not answer
 * @param maxLeaseTime the longest lease time that is accepted; by default one day, of a quorum one minute
 * @param retention how long Redis keeps the key of a lock after its last use
 * @param preflight what to do about dangers that are found in the server at the start
 * @param scripts whether Redis runs scripts for the client: lua, or none for a user who may not run EVAL, who has plain locks only;
 *     needs leasehold.uri
 * @param lock what holds for locks that do not say otherwise
 * @param shutdown how the application lets go of its locks when it ends
 * @param metrics the figures of locks, with leasehold-micrometer
 * @param observations the observations of locks, of which tracing makes spans, with leasehold-micrometer
 * @param lockRegistry the lock registry of Spring Integration, with leasehold-spring-integration
 * @param shedlock the lock provider of ShedLock, with leasehold-shedlock
 * @param endpoint what the endpoint of the actuator may do
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
        @DefaultValue("1m") Duration retention,
        @DefaultValue("warn") Preflight preflight,
        @DefaultValue("lua") Scripts scripts,
        @DefaultValue Lock lock,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Metrics metrics,
        @DefaultValue Observations observations,
        @DefaultValue LockRegistry lockRegistry,
        @DefaultValue Shedlock shedlock,
        @DefaultValue Endpoint endpoint) {

    /**
     * What holds for locks that do not say otherwise.
     *
     * @param leaseTime how long Redis keeps a lock without a renewal
     * @param renewalRatio the part of the lease after which it is renewed, such as 0.5; 0 for no renewal, by default a third
     * @param maxRenewals how often a lease is renewed at the most; 0 for no renewal, by default as often as needed
     * @param maxHold for how long a lease is renewed at the most; by default without a limit
     * @param interruptOnLoss whether the thread that acquired is interrupted when the lease is lost
     */
    public record Lock(
            @DefaultValue("30s") Duration leaseTime,
            @Nullable Double renewalRatio,
            @Nullable Integer maxRenewals,
            @Nullable Duration maxHold,
            @DefaultValue("false") boolean interruptOnLoss) {

        /**
         * The same as options.
         *
         * @return the checked options
         * @throws IllegalArgumentException if a value breaks its rule
         */
        public LockOptions options() {
            return LockOptions.builder()
                    .leaseTime(leaseTime)
                    .renewal(renewal())
                    .maxHold(maxHold)
                    .interruptOnLoss(interruptOnLoss)
                    .build();
        }

        private Renewal renewal() {
            Renewal base = Renewal.whileHeld();
            double ratio = renewalRatio == null ? base.ratio() : renewalRatio;
            int times = maxRenewals == null ? base.times() : maxRenewals;
            return ratio == 0 || times == 0 ? Renewal.none() : new Renewal(ratio, times);
        }
    }

    /**
     * How the application lets go of its locks when it ends: it takes no more, waits, releases the rest and closes the client.
     *
     * @param timeout how long to wait for what holds locks to end by itself; 0 for not at all
     */
    public record Shutdown(@DefaultValue("10s") Duration timeout) {}

    /**
     * The figures of locks, with leasehold-micrometer.
     *
     * @param enabled whether there are figures, if there is a MeterRegistry
     * @param lockNames whether each lock has figures of its own, with its name as the tag "lock": only with few names
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
     * @param enabled whether there is one, if the application has no LockRegistry of its own
     * @param namePrefix what stands before each key in the name of its lock
     */
    public record LockRegistry(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("integration:") String namePrefix) {}

    /**
     * The lock provider of ShedLock, with leasehold-shedlock.
     *
     * @param enabled whether there is one, if the application has no LockProvider of its own
     * @param namePrefix what stands before the name of each job in that of its lock
     * @param keepAlive whether the lock of a job is renewed while the job runs
     */
    public record Shedlock(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("job:") String namePrefix,
            @DefaultValue("false") boolean keepAlive) {}

    /**
     * What the endpoint of the actuator may do.
     *
     * @param allowForcedRelease whether it may take a lock away from whoever holds it, in any process, though the holder may still
     *     be working
     */
    public record Endpoint(@DefaultValue("false") boolean allowForcedRelease) {}
}
