package dev.leasehold.quarkus;

import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.annotation.LockProperties;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The properties {@code quarkus.leasehold.*} that are read when the application starts. Values are checked then. An
 * invalid value fails the start, with an error that names it.
 */
@ConfigMapping(prefix = "quarkus.leasehold")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface LeaseholdRuntimeConfig {

    /**
     * The URI of Redis, such as {@code redis://localhost:6379}, instead of the settings of {@link #redisClient}.
     *
     * @return the URI
     */
    Optional<String> uri();

    /**
     * The URIs of several independent servers, of which a majority decides; instead of one URI.
     *
     * @return the URIs
     */
    Optional<List<String>> quorum();

    /**
     * The Redis client of the application whose settings ({@code quarkus.redis.*}, or {@code quarkus.redis.<name>.*}) lead to
     * the server. Leasehold opens connections of its own.
     *
     * @return the name of the client; by default the default client
     */
    @WithDefault("<default>")
    String redisClient();

    /**
     * The prefix of the keys of all locks.
     *
     * @return the prefix
     */
    @WithDefault("leasehold")
    String keyPrefix();

    /**
     * The name of the client in thread names and logs, and in CLIENT LIST if Leasehold opens the connections.
     *
     * @return the name
     */
    Optional<String> clientName();

    /**
     * The longest time to wait for a connection.
     *
     * @return the time
     */
    @WithDefault("5s")
    Duration connectTimeout();

    /**
     * The longest time to wait for the answer to one request.
     *
     * @return the time
     */
    @WithDefault("2s")
    Duration commandTimeout();

    /**
     * How long an acquisition without a timeout keeps trying while Redis does not answer.
     *
     * @return the time
     */
    @WithDefault("10s")
    Duration outageTolerance();

    /**
     * The longest lease time that is accepted.
     *
     * @return the time; by default one day, for a quorum one minute
     */
    Optional<Duration> maxLeaseTime();

    /**
     * How long Redis keeps the key of a lock after its last use.
     *
     * @return the time
     */
    @WithDefault("1m")
    Duration rememberTokens();

    /**
     * The reaction to dangers that the check of the server finds at startup.
     *
     * @return {@code warn}, {@code refuse} or {@code off}
     */
    @WithDefault("warn")
    Preflight preflight();

    /**
     * How long to wait for one server of a quorum.
     *
     * @return the time
     */
    @WithDefault("500ms")
    Duration nodeTimeout();

    /**
     * Whether the application may start while Redis cannot be reached.
     *
     * @return false by default
     */
    @WithDefault("false")
    boolean startWithoutRedis();

    /**
     * How long a caller has waited when the client looks for deadlocks.
     *
     * @return the time; by default it does not look
     */
    Optional<Duration> deadlockCheck();

    /**
     * Whether the stacks of waiting threads are told to whoever asks for deadlocks.
     *
     * @return false by default
     */
    @WithDefault("false")
    boolean shareStacks();

    /**
     * The default options of locks.
     *
     * @return the options
     */
    Lock lock();

    /**
     * The shutdown of the application.
     *
     * @return the settings
     */
    Shutdown shutdown();

    /**
     * The meters of locks.
     *
     * @return the settings
     */
    Metrics metrics();

    /** The default options of locks. */
    interface Lock {

        /**
         * How long Redis keeps a lock without a renewal.
         *
         * @return the time
         */
        @WithDefault("30s")
        Duration leaseTime();

        /**
         * The part of the lease after which it is renewed, such as 0.5; 0 for no renewal.
         *
         * @return the part; by default a third
         */
        OptionalDouble renewalRatio();

        /**
         * The largest number of renewals of a lease; 0 for no renewal.
         *
         * @return the number; by default as many as needed
         */
        OptionalInt maxRenewals();

        /**
         * The longest time for which a lease is renewed.
         *
         * @return the time; by default without a limit
         */
        Optional<Duration> maxHold();

        /**
         * Whether the thread that acquired is interrupted when the lease is lost.
         *
         * @return false by default
         */
        @WithDefault("false")
        boolean interruptOnLoss();

        /**
         * The mean time between two tries of a waiter that polls.
         *
         * @return the time; by default waiters are woken
         */
        Optional<Duration> pollInterval();

        /**
         * The largest number of tries of an acquisition.
         *
         * @return the number; by default as many as its time limit allows
         */
        OptionalInt maxTries();

        /**
         * The number of replicas that must have a lock before it counts as acquired.
         *
         * @return the number
         */
        @WithDefault("0")
        int replicas();

        /**
         * Whether the primary and these replicas must have it on disk.
         *
         * @return false by default
         */
        @WithDefault("false")
        boolean onDisk();

        /**
         * How long to wait for replicas or disks; at most a third of the lease.
         *
         * @return the time; by default 200 ms, for disks 2 s
         */
        Optional<Duration> acknowledgeTimeout();

        /**
         * For how long a client retains a hold after its release.
         *
         * @return the time; by default it does not
         */
        Optional<Duration> retainFor();

        /**
         * The shortest time for which Redis keeps a lock.
         *
         * @return the time; by default none
         */
        Optional<Duration> minHold();

        /**
         * The text that is shown beside the holder.
         *
         * @return the text; by default none
         */
        Optional<String> label();

        /**
         * The formats of locks by patterns of their names: plain, plain-any-value, redisson, redisson-polled,
         * redisson-fenced, or spring-integration: with a registry key.
         *
         * @return the formats, none by default
         */
        Map<String, String> format();

        /**
         * Converts the properties to options.
         *
         * @return the checked options
         * @throws IllegalArgumentException if a value breaks its rule
         */
        default LockOptions options() {
            @Nullable Double ratio = renewalRatio().isPresent() ? renewalRatio().getAsDouble() : null;
            @Nullable Integer times = maxRenewals().isPresent() ? maxRenewals().getAsInt() : null;
            @Nullable Integer tries = maxTries().isPresent() ? maxTries().getAsInt() : null;
            return LockOptions.builder()
                    .leaseTime(leaseTime())
                    .renewal(LockProperties.renewal(ratio, times))
                    .maxHold(maxHold().orElse(null))
                    .interruptOnLoss(interruptOnLoss())
                    .waitStrategy(LockProperties.waitStrategy(pollInterval().orElse(null), tries))
                    .durability(LockProperties.durability(
                            replicas(), onDisk(), acknowledgeTimeout().orElse(null)))
                    .retainFor(retainFor().orElse(null))
                    .minHold(minHold().orElse(null))
                    .label(label().orElse(null))
                    .build();
        }
    }

    /** The shutdown of the application: it acquires no more locks, waits, and closes the client. */
    interface Shutdown {

        /**
         * The longest time to wait for the holders of locks to finish.
         *
         * @return the time; 0 for no wait
         */
        @WithDefault("10s")
        Duration timeout();
    }

    /** The meters of locks. */
    interface Metrics {

        /**
         * Whether each lock has meters of its own, with its name as the tag "lock": only with few names. Those after the
         * first 1,000 share the tag "(other)".
         *
         * @return false by default
         */
        @WithDefault("false")
        boolean lockNames();
    }
}
