package dev.leasehold.quorum;

import dev.leasehold.Credentials;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.TlsOptions;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Builds a {@link QuorumLeasehold}. Not thread-safe. Values are checked by {@link #build()}. */
public final class QuorumBuilder {

    private final LeaseholdBuilder builder;

    QuorumBuilder(LeaseholdBuilder builder) {
        this.builder = builder;
    }

    /**
     * Sets how long the client waits for one server. It never waits longer than an eighth of the lease time.
     *
     * @param timeout at least 1 ms; default 500 ms
     * @return this
     */
    public QuorumBuilder nodeTimeout(Duration timeout) {
        builder.nodeTimeout(timeout);
        return this;
    }

    /**
     * Sets the longest lease time and extension that the client accepts. All clients of a quorum must set the same value: a server that
     * may have forgotten holds does not count for this long, and a client with another value is rejected.
     *
     * @param max default 1 min; at most 365 days
     * @return this
     */
    public QuorumBuilder maxLeaseTime(Duration max) {
        builder.maxLeaseTime(max);
        return this;
    }

    /**
     * Sets whether the client may start while no majority can be reached, as {@link LeaseholdBuilder#startWithoutRedis} says.
     *
     * @param allowed default false
     * @return this
     */
    public QuorumBuilder startWithoutRedis(boolean allowed) {
        builder.startWithoutRedis(allowed);
        return this;
    }

    /**
     * Sets the prefix of the keys of all locks. Clients with different prefixes do not see each other's locks.
     *
     * @param prefix as for {@link LeaseholdBuilder#keyPrefix}; default {@code leasehold}
     * @return this
     */
    public QuorumBuilder keyPrefix(String prefix) {
        builder.keyPrefix(prefix);
        return this;
    }

    /**
     * Sets the name in thread names and logs, and in {@code CLIENT LIST}.
     *
     * @param name as for {@link LeaseholdBuilder#clientName}; default {@code leasehold}
     * @return this
     */
    public QuorumBuilder clientName(String name) {
        builder.clientName(name);
        return this;
    }

    /**
     * Sets the default options of locks.
     *
     * @param options default {@link LockOptions#defaults()}
     * @return this
     */
    public QuorumBuilder defaults(LockOptions options) {
        builder.defaults(options);
        return this;
    }

    /**
     * Adds a listener. May be called several times.
     *
     * @param listener notified of the events of all locks of the client
     * @return this
     */
    public QuorumBuilder listener(LeaseholdListener listener) {
        builder.listener(listener);
        return this;
    }

    /**
     * Sets how long to wait for connections to a majority.
     *
     * @param timeout 1 ms to a day; default 5 s
     * @return this
     */
    public QuorumBuilder connectTimeout(Duration timeout) {
        builder.connectTimeout(timeout);
        return this;
    }

    /**
     * Sets the longest time to wait for the answer to one request. For a renewal it is at most a sixth of the lease time.
     *
     * @param timeout 1 ms to a day; default 2 s
     * @return this
     */
    public QuorumBuilder commandTimeout(Duration timeout) {
        builder.commandTimeout(timeout);
        return this;
    }

    /**
     * Sets how long an acquisition without a time limit keeps trying while no majority answers.
     *
     * @param tolerance not negative; default 10 s
     * @return this
     */
    public QuorumBuilder outageTolerance(Duration tolerance) {
        builder.outageTolerance(tolerance);
        return this;
    }

    /**
     * Sets how long the servers keep the key of a lock, with the last fencing token, after its last use.
     *
     * @param time at least 1 s; default 1 min
     * @return this
     */
    public QuorumBuilder rememberTokens(Duration time) {
        builder.rememberTokens(time);
        return this;
    }

    /**
     * Sets how {@code rediss://} connections are secured.
     *
     * @param options default: the certificates that the JVM trusts, with verification of the host name
     * @return this
     */
    public QuorumBuilder tls(TlsOptions options) {
        builder.tls(options);
        return this;
    }

    /**
     * Sets what supplies user and password of each new connection, the same for all servers, as {@link LeaseholdBuilder#credentials} says.
     *
     * @param supplier called by threads of the client
     * @return this
     */
    public QuorumBuilder credentials(Supplier<Credentials> supplier) {
        builder.credentials(supplier);
        return this;
    }

    /**
     * Sets the reaction to dangers found in the servers at connect.
     *
     * @param mode default {@link LeaseholdBuilder.Preflight#WARN}
     * @return this
     */
    public QuorumBuilder preflight(LeaseholdBuilder.Preflight mode) {
        builder.preflight(mode);
        return this;
    }

    /**
     * Sets the executor that runs listeners, dependent stages and the later steps of asynchronous acquisitions.
     *
     * @param executor as for {@link LeaseholdBuilder#eventExecutor}
     * @return this
     */
    public QuorumBuilder eventExecutor(Executor executor) {
        builder.eventExecutor(executor);
        return this;
    }

    /**
     * Sets the timer.
     *
     * @param own as for {@link LeaseholdBuilder#timer}
     * @return this
     */
    public QuorumBuilder timer(Timer own) {
        builder.timer(own);
        return this;
    }

    /**
     * Sets the clocks.
     *
     * @param own default: the machine's
     * @return this
     */
    public QuorumBuilder timeSource(TimeSource own) {
        builder.timeSource(own);
        return this;
    }

    /**
     * Connects.
     *
     * @return the client
     * @throws IllegalArgumentException if a value breaks its rule, as for {@link QuorumLeasehold#connect}; the message names it
     * @throws IllegalStateException if no adapter supports the scheme
     * @throws LockUnavailableException if fewer than a majority of the servers answer within the connect timeout, or if the
     *     {@linkplain LeaseholdBuilder.Preflight preflight} refuses them
     */
    public QuorumLeasehold build() {
        return builder.build().unwrap(QuorumLeasehold.class);
    }
}
