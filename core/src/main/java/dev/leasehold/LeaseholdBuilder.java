package dev.leasehold;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.internal.client.ClientFactory;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.LockFormats;
import dev.leasehold.internal.connect.QuorumConfig;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Leasehold}. Set either a URI, from which the client opens its own connections, or a transport over a
 * Redis client that the application already has. {@link #build()} checks the values before it sends anything. Not safe
 * for use by several threads.
 */
public final class LeaseholdBuilder {

    /** Default maximum lease time of a quorum: how long a server that may have forgotten holds does not count. */
    private static final Duration QUORUM_MAX_LEASE_TIME = Duration.ofMinutes(1);

    private @Nullable String uri;
    private @Nullable Supplier<? extends RedisTransport> transport;
    private boolean startsWithoutRedis;
    private String keyPrefix = "leasehold";
    private @Nullable String clientName;
    private LockOptions defaults = LockOptions.defaults();
    private final List<LeaseholdListener> listeners = new ArrayList<>();
    private Duration connectTimeout = Duration.ofSeconds(5);
    private Duration commandTimeout = Duration.ofSeconds(2);
    private Duration outageTolerance = Duration.ofSeconds(10);
    private Duration maxLeaseTime = Duration.ofDays(1);
    private boolean maxLeaseTimeSet;
    private @Nullable List<String> quorum;
    private Duration nodeTimeout = Duration.ofMillis(500);
    private Duration rememberTokens = Duration.ofMinutes(1);
    private TlsOptions tls = TlsOptions.defaults();
    private @Nullable Supplier<Credentials> credentials;
    private Preflight preflight = Preflight.WARN;
    private @Nullable Executor eventExecutor;
    private @Nullable Timer timer;
    private @Nullable TimeSource timeSource;
    private @Nullable Duration deadlockCheck;
    private boolean sharesStacks;
    private final Map<String, LockFormat> lockFormats = new LinkedHashMap<>();

    LeaseholdBuilder() {}

    /** The reaction of {@link #build()} to dangers that it finds in the server. */
    public enum Preflight {
        /**
         * Checks the server, logs dangers at level WARN and warnings at level INFO, and throws if no lock can be exclusive
         * there, whatever its settings, such as on an active replica of KeyDB, or if the server refuses to run scripts: the default.
         */
        WARN,
        /** Checks the server, logs the same, and throws if it finds any danger. */
        REFUSE,
        /** Does not check the server: also one is accepted on which no lock can be exclusive. */
        OFF
    }

    /**
     * Connects by a URI, through the adapter on the class path that supports its scheme.
     *
     * @param redisUri {@code redis://} or {@code rediss://}, with user, password and database as usual, and of a cluster any nodes, or
     *     {@code redis-sentinel://host:port,host:port/database?sentinelMasterId=name}, or {@code redis-socket:///path}; see
     *     {@link Leasehold#connect(String)}
     * @return this
     */
    public LeaseholdBuilder uri(String redisUri) {
        uri = Objects.requireNonNull(redisUri, "redisUri");
        return this;
    }

    /**
     * Uses a transport that the application created, such as one over its own Redis client. Closing the
     * {@code Leasehold} closes the transport; a client that the application passed to the transport stays open.
     *
     * @param own the transport
     * @return this
     */
    public LeaseholdBuilder transport(RedisTransport own) {
        RedisTransport given = Objects.requireNonNull(own, "own");
        return transport(() -> given);
    }

    /**
     * Uses a transport like {@link #transport(RedisTransport)}, created by {@link #build()} or, with {@link #startWithoutRedis}, later.
     *
     * @param opener creates the transport; called again only if it throws; may block
     * @return this
     */
    public LeaseholdBuilder transport(Supplier<? extends RedisTransport> opener) {
        transport = Objects.requireNonNull(opener, "opener");
        return this;
    }

    /**
     * Sets whether the client may start while Redis cannot be reached. {@link #build()} then waits for a second at most. Until Redis is
     * reached, which is tried each second, calls end with a {@link LockUnavailableException} after their own time. Then the preflight
     * runs, and what waits goes on by itself; if the preflight refuses the server, calls go on to fail, and say why.
     *
     * @param allowed default false: {@link #build()} throws if it does not reach Redis
     * @return this
     */
    public LeaseholdBuilder startWithoutRedis(boolean allowed) {
        startsWithoutRedis = allowed;
        return this;
    }

    /**
     * Lets a majority of several servers decide: for frameworks whose settings name them. The client refuses the rest by {@link
     * UnsupportedOperationException}; {@link dev.leasehold.quorum.QuorumLeasehold}, which code uses, has only what works.
     *
     * @param redisUris 3 to 15 URIs, preferably an odd number, each as for {@link #uri}; standalone primaries, none twice
     * @return this
     */
    public LeaseholdBuilder quorum(String... redisUris) {
        quorum = List.of(Objects.requireNonNull(redisUris, "redisUris"));
        return this;
    }

    /**
     * Sets how long the client waits for one server of a quorum. It never waits longer than an eighth of the lease time.
     *
     * @param timeout at least 1 ms; default 500 ms
     * @return this
     */
    public LeaseholdBuilder nodeTimeout(Duration timeout) {
        nodeTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets the prefix of the keys of all locks. Clients with different prefixes do not see each other's locks.
     *
     * @param prefix 1 to 64 printable ASCII characters without braces, blanks or any of {@code * ? [ ] \ ^}; default {@code leasehold}
     * @return this
     */
    public LeaseholdBuilder keyPrefix(String prefix) {
        keyPrefix = Objects.requireNonNull(prefix, "prefix");
        return this;
    }

    /**
     * Sets the name in thread names and logs, and in {@code CLIENT LIST} unless the application lends its own client.
     *
     * @param name 1 to 32 ASCII letters, digits, dots, dashes or underscores; default {@code leasehold}
     * @return this
     */
    public LeaseholdBuilder clientName(String name) {
        clientName = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the default options of locks.
     *
     * @param options default {@link LockOptions#defaults()}
     * @return this
     */
    public LeaseholdBuilder defaults(LockOptions options) {
        defaults = Objects.requireNonNull(options, "options");
        return this;
    }

    /**
     * Adds a listener. May be called several times.
     *
     * @param listener notified of the events of all locks of the client
     * @return this
     */
    public LeaseholdBuilder listener(LeaseholdListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /**
     * Sets how long to wait for a connection, and at the start of the client for the first answers of the server.
     *
     * @param timeout 1 ms to a day; default 5 s
     * @return this
     */
    public LeaseholdBuilder connectTimeout(Duration timeout) {
        connectTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets the longest time to wait for the answer to one request. For a renewal it is at most a sixth of the lease time.
     *
     * @param timeout 1 ms to a day; default 2 s
     * @return this
     */
    public LeaseholdBuilder commandTimeout(Duration timeout) {
        commandTimeout = Objects.requireNonNull(timeout, "timeout");
        return this;
    }

    /**
     * Sets how long an acquisition without a time limit keeps trying while Redis does not answer.
     *
     * @param tolerance not negative; default 10 s
     * @return this
     */
    public LeaseholdBuilder outageTolerance(Duration tolerance) {
        outageTolerance = Objects.requireNonNull(tolerance, "tolerance");
        return this;
    }

    /**
     * Sets the longest lease time and extension that the client accepts. All clients of a quorum must set the same value: a server that
     * may have forgotten holds does not count for this long, and a client with another value is rejected.
     *
     * @param max default 1 day, for a quorum 1 min; at most 365 days
     * @return this
     */
    public LeaseholdBuilder maxLeaseTime(Duration max) {
        maxLeaseTime = Objects.requireNonNull(max, "max");
        maxLeaseTimeSet = true;
        return this;
    }

    /**
     * Sets how long Redis keeps the key of a lock, with the last fencing token, after its last use. A key takes about 200 bytes.
     *
     * @param time at least 1 s; default 1 min
     * @return this
     */
    public LeaseholdBuilder rememberTokens(Duration time) {
        rememberTokens = Objects.requireNonNull(time, "time");
        return this;
    }

    /**
     * Sets how {@code rediss://} connections are secured.
     *
     * @param options default: the certificates that the JVM trusts, with verification of the host name
     * @return this
     */
    public LeaseholdBuilder tls(TlsOptions options) {
        tls = Objects.requireNonNull(options, "options");
        return this;
    }

    /**
     * Sets what supplies user and password of each new connection to Redis, also after the first one breaks: for passwords that
     * rotate and for tokens (IAM, Entra). A URI of {@link #uri} or {@link #quorum} must then have no user and no password. All
     * servers get the same credentials, except for Sentinels, which keep those of the URI.
     *
     * <p>The client keeps no credentials: it calls the supplier for each connection, and only connections that are opened at the
     * same time share a call. Connections that are open stay in use. So the supplier returns what the server accepts now, and caches a
     * token itself if obtaining one is slow. It runs on a thread of its own, at most one call at a time, and may block for half of the
     * {@linkplain #connectTimeout connect timeout}. If it throws, returns null or exceeds that time, or if the server refuses what it
     * returned, the connection is not opened, and the client tries again when it needs one, at least once a second. Acquisitions
     * meanwhile throw {@link LockUnavailableException}, whose message names the supplier. Leases last as long as their last renewal.
     *
     * @param supplier called by threads of the client
     * @return this
     */
    public LeaseholdBuilder credentials(Supplier<Credentials> supplier) {
        credentials = Objects.requireNonNull(supplier, "supplier");
        return this;
    }

    /**
     * Sets the reaction to dangers found in the server at connect.
     *
     * @param mode default {@link Preflight#WARN}
     * @return this
     */
    public LeaseholdBuilder preflight(Preflight mode) {
        preflight = Objects.requireNonNull(mode, "mode");
        return this;
    }

    /**
     * Sets the format of the locks whose names match a pattern, as {@link Leasehold#lock(String)} returns them: for a time in which
     * programs with another library have the same locks. Fair and read-write locks, semaphores, several locks at once, leader
     * elections and exported leases of such names are refused by {@link UnsupportedOperationException}.
     *
     * @param pattern the name, in which {@code *} stands for any text, such as {@code order:*}; of several patterns that match a name the
     *     first one set counts
     * @param format by default {@link LockFormat#leasehold()} for all names
     * @return this
     */
    public LeaseholdBuilder lockFormat(String pattern, LockFormat format) {
        lockFormats.putIfAbsent(Objects.requireNonNull(pattern, "pattern"), Objects.requireNonNull(format, "format"));
        return this;
    }

    /**
     * Lets the client look for deadlocks while one of its callers has waited for this long, and again after each further such time. It
     * reads the waits on which those of its callers depend, logs a deadlock at level WARN, and notifies {@link
     * LeaseholdListener#deadlock} of each that is certain, once. It ends no wait and no lease.
     *
     * @param after at least 1 s; by default the client does not look
     * @return this
     */
    public LeaseholdBuilder deadlockCheck(Duration after) {
        deadlockCheck = Objects.requireNonNull(after, "after");
        return this;
    }

    /**
     * Lets the client tell the stacks of its waiting threads to whoever reads the {@linkplain dev.leasehold.diagnostics.Diagnostics#deadlocks
     * deadlocks}, such as {@code leasehold deadlocks --stacks}. Everybody with the right to the channels of wake-ups can ask for them, and
     * they show lines of the application. {@link LeaseholdListener#deadlock} has the stacks of this client's own threads in any case.
     *
     * @param shares by default false: the client tells locks, threads and owners, which locks need anyway, and no stacks
     * @return this
     */
    public LeaseholdBuilder shareStacks(boolean shares) {
        sharesStacks = shares;
        return this;
    }

    /**
     * Sets the executor that runs listeners, dependent stages and the later steps of asynchronous acquisitions.
     *
     * @param executor an executor that does not run tasks on the submitting thread, which may be the timer's or the
     *     Redis client's. Default: the client's own daemon threads, created as needed. Closing the client does not
     *     close it
     * @return this
     */
    public LeaseholdBuilder eventExecutor(Executor executor) {
        eventExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * Sets the timer.
     *
     * @param own default: one Netty {@code HashedWheelTimer} with ticks of 10 ms. Closing the client does not close it
     * @return this
     */
    public LeaseholdBuilder timer(Timer own) {
        timer = Objects.requireNonNull(own, "own");
        return this;
    }

    /**
     * Sets the clocks.
     *
     * @param own default: the machine's
     * @return this
     */
    public LeaseholdBuilder timeSource(TimeSource own) {
        timeSource = Objects.requireNonNull(own, "own");
        return this;
    }

    /**
     * Connects.
     *
     * @return the client
     * @throws IllegalArgumentException if a value breaks its rule; the message names it. Also if {@link #credentials} is
     *     combined with a transport, or with a user or a password in a URI
     * @throws IllegalStateException if none or more than one of URI, transport and quorum is set, or no adapter
     *     supports the scheme
     * @throws LockUnavailableException if the server does not answer or rejects the credentials, or if the
     *     {@linkplain Preflight preflight} refuses it
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
                quorum == null || maxLeaseTimeSet ? maxLeaseTime : QUORUM_MAX_LEASE_TIME,
                rememberTokens,
                tls,
                credentials == null ? null : new CredentialsSource(credentials, connectTimeout.dividedBy(2)),
                preflight,
                eventExecutor,
                timer,
                timeSource,
                quorum == null ? null : new QuorumConfig(quorum, nodeTimeout),
                deadlockCheck,
                sharesStacks,
                new LockFormats(lockFormats),
                startsWithoutRedis));
    }
}
