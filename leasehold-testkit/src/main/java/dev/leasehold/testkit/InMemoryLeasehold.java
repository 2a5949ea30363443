package dev.leasehold.testkit;

import dev.leasehold.DistributedLatch;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.LeaderElection;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LeaseholdBuilder.Scripts;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.internal.client.ClientConfig;
import dev.leasehold.internal.client.ClientFactory;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.wait.WakeChannel;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@link Leasehold} for tests of applications, without a server: the real engine over a {@link SimulatedRedis} that
 * runs the real scripts, in a time that only the test moves. It has the defaults of {@link Leasehold#builder()}.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.create();
 * InMemoryLeasehold leasehold = InMemoryLeasehold.create(clock);
 * Lease lease = leasehold.lock("report").tryAcquire().orElseThrow();
 * leasehold.cutOff(true);                   // Redis cannot be reached any more
 * clock.advance(Duration.ofSeconds(31));    // renewals are tried, in vain
 * assertThat(lease.isHeld()).isFalse();
 * }</pre>
 *
 * <p>Everything happens on the thread that calls: requests are answered at once, renewals and callbacks run inside
 * {@link ManualClock#advance}. A call that has to wait, for a lock that is held or after a failure, moves the clock itself
 * by what it would have waited. So a test needs one thread and no patience; with several threads, any of them that waits
 * moves the time of all.
 *
 * <p>Closing it closes this client; its server lives on for the others.
 */
public final class InMemoryLeasehold implements Leasehold {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final LockOptions DEFAULTS = LockOptions.defaults();
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration OUTAGE_TOLERANCE = Duration.ofSeconds(10);
    private static final Duration MAX_LEASE = Duration.ofDays(1);
    private static final Duration RETENTION = Duration.ofMinutes(1);

    private final ManualClock clock;
    private final SimulatedRedis redis;
    private final AtomicInteger clients;
    private final AtomicInteger repliesToDrop = new AtomicInteger();
    private final AtomicInteger requestsToDrop = new AtomicInteger();
    private final Leasehold client;
    private volatile boolean cutOff;

    private InMemoryLeasehold(ManualClock clock, SimulatedRedis redis, AtomicInteger clients) {
        this.clock = clock;
        this.redis = redis;
        this.clients = clients;
        this.client = assemble(clients.incrementAndGet());
    }

    /**
     * A client of a new, empty server.
     *
     * @param clock the time of server and client
     */
    public static InMemoryLeasehold create(ManualClock clock) {
        return new InMemoryLeasehold(clock, SimulatedRedis.create(clock), new AtomicInteger());
    }

    /** A second client of the same server, as another process would have it. Its network is its own. */
    public InMemoryLeasehold another() {
        return new InMemoryLeasehold(clock, redis, clients);
    }

    private Leasehold assemble(int number) {
        SimulatedTransport transport = new SimulatedTransport(redis, clock, this::fate);
        AtomicInteger acquisitions = new AtomicInteger();
        Limits limits = new Limits(COMMAND_TIMEOUT, OUTAGE_TOLERANCE, MAX_LEASE, RETENTION);
        EngineParts parts = new EngineParts(
                transport,
                clock,
                clock,
                Runnable::run,
                Runnable::run,
                () -> new AcquisitionId(
                        String.format(Locale.ROOT, "memory-%04d-%010d", number, acquisitions.incrementAndGet())),
                () -> 0.5,
                List.of(),
                number + "@memory",
                new WakeChannel(PREFIX, Integer.toString(number)),
                new ServerTime(redis.micros()),
                clock.nanoTime(),
                "",
                SimulatedTransport.CAPABILITIES,
                limits);
        ClientConfig config = new ClientConfig(
                null,
                transport,
                PREFIX,
                "memory-" + number,
                DEFAULTS,
                List.of(),
                CONNECT_TIMEOUT,
                COMMAND_TIMEOUT,
                OUTAGE_TOLERANCE,
                MAX_LEASE,
                RETENTION,
                TlsOptions.defaults(),
                Preflight.OFF,
                Scripts.LUA,
                null,
                clock,
                clock,
                null);
        return ClientFactory.assemble(config, parts);
    }

    private Fate fate(ScriptCall call) {
        if (cutOff || takeOne(requestsToDrop)) {
            return new Fate(0, 0, true, false, -1, true);
        }
        if (takeOne(repliesToDrop)) {
            return new Fate(0, 0, false, true, -1, true);
        }
        return Fate.AT_ONCE;
    }

    private static boolean takeOne(AtomicInteger left) {
        return left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }

    /** The server, with more faults to choose from. */
    public SimulatedRedis redis() {
        return redis;
    }

    /** The next request of this client is executed, and the connection breaks before its reply comes. */
    public void dropNextReply() {
        repliesToDrop.incrementAndGet();
    }

    /** The connection breaks before the next request of this client reaches the server. */
    public void dropNextRequest() {
        requestsToDrop.incrementAndGet();
    }

    /** Whether this client cannot reach the server; others can. */
    public void cutOff(boolean off) {
        cutOff = off;
    }

    /**
     * A replica takes over that has not seen the latest writes; see {@link SimulatedRedis#failOver}.
     *
     * @param lostWrites how many of the latest acquisitions, renewals and releases are lost
     */
    public void failOver(int lostWrites) {
        redis.failOver(lostWrites, Duration.ZERO);
    }

    @Override
    public DistributedLock lock(String name) {
        return client.lock(name);
    }

    @Override
    public DistributedLock fairLock(String name) {
        return client.fairLock(name);
    }

    @Override
    public DistributedReadWriteLock readWriteLock(String name) {
        return client.readWriteLock(name);
    }

    @Override
    public DistributedSemaphore semaphore(String name, int permits) {
        return client.semaphore(name, permits);
    }

    @Override
    public DistributedLock plainLock(String key) {
        return client.plainLock(key);
    }

    @Override
    public MultiLock allOf(String... names) {
        return client.allOf(names);
    }

    @Override
    public MultiLock allOf(Collection<String> names) {
        return client.allOf(names);
    }

    @Override
    public Lease resume(String exported) {
        return client.resume(exported);
    }

    @Override
    public Lease resume(String exported, LockOptions options) {
        return client.resume(exported, options);
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported) {
        return client.resumeAsync(exported);
    }

    @Override
    public CompletionStage<Lease> resumeAsync(String exported, LockOptions options) {
        return client.resumeAsync(exported, options);
    }

    @Override
    public DistributedLatch latch(String name) {
        return client.latch(name);
    }

    @Override
    public LeaderElection leaderElection(String name) {
        return client.leaderElection(name);
    }

    @Override
    public Inspector inspector() {
        return client.inspector();
    }

    @Override
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return client.toString();
    }
}
