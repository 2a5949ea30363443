package dev.leasehold;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.internal.client.ClientConfig;
import dev.leasehold.internal.client.ClientFactory;
import dev.leasehold.internal.client.QuorumConfig;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Leasehold}. Give it either a URI, and it opens connections of its own, or a transport over the client
 * that the application already has. Values are checked by {@link #build()}, before anything is sent. Not safe for use
 * by several threads.
 */
public final class LeaseholdBuilder {

    /** For so long a server that may have forgotten holds does not count. */
    private static final Duration QUORUM_MAX_LEASE_TIME = Duration.ofMinutes(1);

    private @Nullable String uri;
    private @Nullable RedisTransport transport;
    private String keyPrefix = "leasehold";
    private @Nullable String clientName;
    private LockOptions defaults = LockOptions.defaults();
    private final List<LeaseholdListener> listeners = new ArrayList<>();
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration commandTimeout = Duration.ofSeconds(2);
    private Duration outageTolerance = Duration.ofSeconds(10);
    private Duration maxLeaseTime = Duration.ofDays(1);
    private boolean saysMaxLeaseTime;
    private @Nullable List<String> quorum;
    private Duration nodeTimeout = Duration.ofMillis(500);
    private Duration retention = Duration.ofMinutes(1);
    private TlsOptions tls = TlsOptions.defaults();
    private Preflight preflight = Preflight.WARN;
    private Scripts scripts = Scripts.LUA;
    private @Nullable Executor eventExecutor;
    private @Nullable Timer timer;
    private @Nullable TimeSource timeSource;

    LeaseholdBuilder() {}

    /** What {@link #build()} does about dangers that it finds in the server. */
    public enum Preflight {
        /** Looks, and logs what is dangerous: the default. */
        WARN,
        /** Looks, and throws if something is dangerous. */
        REFUSE,
        /** Does not look. */
        OFF
    }

    /** Whether Redis runs scripts for the client. */
    public enum Scripts {
        /** Every request is a Lua script: the default. */
        LUA,
        /**
         * None is sent, for users who may not run EVAL: then there are {@linkplain Leasehold#plainLock plain locks} and no
         * others.
         */
        NONE
    }

    /**
     * Connects by a URI, through the adapter on the class path that knows its scheme.
     *
     * @param redisUri {@code redis://} or {@code rediss://}, with user, password and database as usual, or
     *     {@code redis-sentinel://host:port,host:port/database?sentinelMasterId=name}, or {@code redis-socket:///path}; see
     *     {@link Leasehold#connect(String)}
     * @return this
     */
    public LeaseholdBuilder uri(String redisUri) {
        uri = redisUri;
        return this;
    }

    /**
     * Uses a transport made by the application, such as one over its own client. Closing the {@code Leasehold} closes
     * the transport, which leaves open what it was lent.
     *
     * @param own the transport
     * @return this
     */
    public LeaseholdBuilder transport(RedisTransport own) {
        transport = own;
        return this;
    }

    /**
     * Keeps each lock on several independent servers, of which a majority decides, as {@link Leasehold#quorum} says.
     *
     * @param redisUris 3 to 15, best an odd number, each as for {@link #uri}; standalone primaries, none twice
     * @return this
     */
    public LeaseholdBuilder quorum(String... redisUris) {
        quorum = List.of(redisUris);
        return this;
    }

    /**
     * Sets how long one server of a quorum is waited for. It is never more than an eighth of the lease.
     *
     * @param timeout at least 1 ms; default 500 ms
     * @return this
     */
    public LeaseholdBuilder nodeTimeout(Duration timeout) {
        nodeTimeout = timeout;
        return this;
    }

    /**
     * Sets what the keys of all locks begin with. Clients with different prefixes know nothing of each other's locks.
     *
     * @param prefix 1 to 64 printable ASCII characters without braces, blanks or glob characters ({@code * ? [ ] \}
     *     and {@code ^}); default {@code leasehold}
     * @return this
     */
    public LeaseholdBuilder keyPrefix(String prefix) {
        keyPrefix = prefix;
        return this;
    }

    /**
     * Sets the name of the client in {@code CLIENT LIST}, thread names and logs.
     *
     * @param name 1 to 32 ASCII letters, digits, dots, dashes or underscores; default {@code leasehold}
     * @return this
     */
    public LeaseholdBuilder clientName(String name) {
        clientName = name;
        return this;
    }

    /**
     * Sets the options of locks that are not given others.
     *
     * @param options default {@link LockOptions#defaults()}
     * @return this
     */
    public LeaseholdBuilder defaults(LockOptions options) {
        defaults = options;
        return this;
    }

    /**
     * Adds a listener. May be called several times.
     *
     * @param listener hears what happens to all locks of the client
     * @return this
     */
    public LeaseholdBuilder listener(LeaseholdListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Sets how long to wait for a connection.
     *
     * @param timeout positive; default 5 s
     * @return this
     */
    public LeaseholdBuilder connectTimeout(Duration timeout) {
        connectTimeout = timeout;
        return this;
    }

    /**
     * Sets how long to wait for the answer to one request, at the most. For a renewal it is never more than a sixth of
     * the lease.
     *
     * @param timeout positive; default 2 s
     * @return this
     */
    public LeaseholdBuilder commandTimeout(Duration timeout) {
        commandTimeout = timeout;
        return this;
    }

    /**
     * Sets how long an acquisition without a time-out keeps trying while Redis does not answer.
     *
     * @param tolerance not negative; default 10 s
     * @return this
     */
    public LeaseholdBuilder outageTolerance(Duration tolerance) {
        outageTolerance = tolerance;
        return this;
    }

    /**
     * Sets the longest lease time and extension that is accepted. Of a quorum it is one for all clients: for so long a
     * server that may have forgotten holds does not count, and a client that says otherwise is refused.
     *
     * @param max default 1 day, of a quorum 1 min; at most 365 days
     * @return this
     */
    public LeaseholdBuilder maxLeaseTime(Duration max) {
        maxLeaseTime = max;
        saysMaxLeaseTime = true;
        return this;
    }

    /**
     * Sets how long Redis keeps the key of a lock after its last use, with the last fencing token. About 200 bytes a
     * name.
     *
     * @param time at least 1 s; default 1 min
     * @return this
     */
    public LeaseholdBuilder retention(Duration time) {
        retention = time;
        return this;
    }

    /**
     * Sets how {@code rediss://} connections are secured.
     *
     * @param options default: what the JVM trusts, with verification of the host name
     * @return this
     */
    public LeaseholdBuilder tls(TlsOptions options) {
        tls = options;
        return this;
    }

    /**
     * Sets what to do about dangers found in the server at connect.
     *
     * @param mode default {@link Preflight#WARN}
     * @return this
     */
    public LeaseholdBuilder preflight(Preflight mode) {
        preflight = mode;
        return this;
    }

    /**
     * Sets whether Redis runs scripts for the client. With {@link Scripts#NONE} there are {@linkplain Leasehold#plainLock plain
     * locks} only, which exclude those of clients with scripts; all other kinds, and waiting for replicas or disks, are refused
     * by {@link UnsupportedOperationException} or {@link IllegalArgumentException}. A request takes two or three round trips
     * instead of one, by WATCH, MULTI and EXEC on a connection of its own. It is never chosen by itself.
     *
     * @param which default {@link Scripts#LUA}
     * @return this
     */
    public LeaseholdBuilder scripts(Scripts which) {
        scripts = which;
        return this;
    }

    /**
     * Sets where listeners, dependent stages and the later steps of asynchronous acquisitions run.
     *
     * @param executor must not run tasks on the thread that submits them, which may be the timer's or the Redis
     *     client's. Default: daemon threads of the client's own, made as needed. It is not closed with the client
     * @return this
     */
    public LeaseholdBuilder eventExecutor(Executor executor) {
        eventExecutor = executor;
        return this;
    }

    /**
     * Sets the timer.
     *
     * @param own default: one Netty {@code HashedWheelTimer} with ticks of 10 ms. It is not closed with the client
     * @return this
     */
    public LeaseholdBuilder timer(Timer own) {
        timer = own;
        return this;
    }

    /**
     * Sets the clocks.
     *
     * @param own default: the machine's
     * @return this
     */
    public LeaseholdBuilder timeSource(TimeSource own) {
        timeSource = own;
        return this;
    }

    /**
     * Connects.
     *
     * @return the client
     * @throws IllegalArgumentException if a value breaks its rule; the message names it. Also if no scripts are wanted of a
     *     quorum, or of an adapter that has no connection of its own for that
     * @throws IllegalStateException if neither URI, transport nor quorum is given, several are, or no adapter knows the scheme
     * @throws LockUnavailableException if the server does not answer, refuses the credentials, or the preflight finds a
     *     danger and is told to refuse
     */
    public Leasehold build() {
        return ClientFactory.open(new ClientConfig(
                uri,
                transport,
                new KeyPrefix(keyPrefix),
                clientName,
                defaults,
                List.copyOf(listeners),
                connectTimeout,
                commandTimeout,
                outageTolerance,
                quorum == null || saysMaxLeaseTime ? maxLeaseTime : QUORUM_MAX_LEASE_TIME,
                retention,
                tls,
                preflight,
                scripts,
                eventExecutor,
                timer,
                timeSource,
                quorum == null ? null : new QuorumConfig(quorum, nodeTimeout)));
    }
}
