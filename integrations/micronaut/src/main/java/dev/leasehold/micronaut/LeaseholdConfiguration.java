package dev.leasehold.micronaut;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
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
 * @param clientName the name of the client in CLIENT LIST, thread names and logs
 * @param connectTimeout the longest time to wait for a connection
 * @param commandTimeout the longest time to wait for the answer to one request
 * @param outageTolerance how long an acquisition without a timeout keeps trying while Redis does not answer
 * @param maxLeaseTime the longest lease time that is accepted; by default one day, for a quorum one minute
 * @param retention how long Redis keeps the key of a lock after its last use
 * @param preflight the reaction to dangers that the check of the server finds at startup
 * @param lock the default options of locks
 * @param shutdown the shutdown of the application
 * @param metrics the meters of locks
 * @param endpoint the permissions of the management endpoint
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
        @Bindable(defaultValue = "1m") Duration retention,
        @Bindable(defaultValue = "WARN") Preflight preflight,
        Lock lock,
        Shutdown shutdown,
        Metrics metrics,
        Endpoint endpoint) {

    /**
     * The default options of locks.
     *
     * @param leaseTime how long Redis keeps a lock without a renewal
     * @param renewalRatio the part of the lease after which it is renewed, such as 0.5; 0 for no renewal, by default a
     *     third
     * @param maxRenewals the largest number of renewals of a lease; 0 for no renewal, by default as many as needed
     * @param maxHold the longest time for which a lease is renewed; by default without a limit
     * @param interruptOnLoss whether the thread that acquired is interrupted when the lease is lost
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

            @Nullable @MapFormat(keyFormat = StringConvention.RAW, transformation = MapFormat.MapTransformation.FLAT)
            Map<String, String> format) {

        LockOptions options() {
            Renewal base = Renewal.whileHeld();
            double ratio = renewalRatio == null ? base.ratio() : renewalRatio;
            int times = maxRenewals == null ? base.times() : maxRenewals;
            return LockOptions.builder()
                    .leaseTime(leaseTime)
                    .renewal(ratio == 0 || times == 0 ? Renewal.none() : new Renewal(ratio, times))
                    .maxHold(maxHold)
                    .interruptOnLoss(interruptOnLoss)
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

    /** Applies the properties, except those of the server. */
    void applyTo(LeaseholdBuilder builder) {
        builder.keyPrefix(keyPrefix)
                .connectTimeout(connectTimeout)
                .commandTimeout(commandTimeout)
                .outageTolerance(outageTolerance)
                .retention(retention)
                .preflight(preflight);
        if (clientName != null) {
            builder.clientName(clientName);
        }
        if (maxLeaseTime != null) {
            builder.maxLeaseTime(maxLeaseTime);
        }
        if (lock.format() != null) {
            lock.format().forEach((pattern, format) -> builder.lockFormat(pattern, LockFormat.parse(format)));
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
