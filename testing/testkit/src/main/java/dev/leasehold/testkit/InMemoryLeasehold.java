package dev.leasehold.testkit;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockFormat;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.TlsOptions;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.internal.client.ClientFactory;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.FoundEventLoops;
import dev.leasehold.internal.connect.LockFormats;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A {@link Leasehold} for tests of applications, without a server. It is the real engine over a
 * {@link SimulatedRedis} that runs the real scripts, in a time that only the test advances. It has the defaults of
 * {@link Leasehold#builder()}.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.create();
 * InMemoryLeasehold leasehold = InMemoryLeasehold.create(clock);
 * Lease lease = leasehold.lock("report").tryAcquire().orElseThrow();
 * leasehold.cutOff(true);                   // Redis is unreachable from now on
 * clock.advance(Duration.ofSeconds(31));    // renewals fail
 * assertThat(lease.isHeld()).isFalse();
 * }</pre>
 *
 * <p>Everything happens on the calling thread: requests are answered immediately, and renewals and callbacks run
 * inside {@link ManualClock#advance}. A call that has to wait, for a held lock or after a failure, advances the
 * clock by its waiting time. A test therefore needs one thread and never waits. With several threads, each waiting
 * thread advances the time of all.
 *
 * <p>Closing it closes this client; its server remains available to other clients.
 */
public final class InMemoryLeasehold implements Leasehold {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final LockOptions DEFAULTS = LockOptions.defaults();
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration OUTAGE_TOLERANCE = Duration.ofSeconds(10);
    private static final Duration MAX_LEASE = Duration.ofDays(1);
    private static final Duration MEMORY = Duration.ofMinutes(1);

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
     * Creates a client of a new, empty server.
     *
     * @param clock the time of server and client
     */
    public static InMemoryLeasehold create(ManualClock clock) {
        return new InMemoryLeasehold(clock, SimulatedRedis.create(clock), new AtomicInteger());
    }

    /** Creates a second client of the same server, as another process would have it, with its own network. */
    public InMemoryLeasehold another() {
        return new InMemoryLeasehold(clock, redis, clients);
    }

    private Leasehold assemble(int number) {
        SimulatedTransport transport = new SimulatedTransport(redis, clock, this::fate);
        AtomicInteger acquisitions = new AtomicInteger();
        Limits limits = new Limits(COMMAND_TIMEOUT, OUTAGE_TOLERANCE, MAX_LEASE, MEMORY);
        ScriptBindings scripts = new ScriptBindings(
                new TokenMemory(MEMORY), SimulatedTransport.CAPABILITIES.contains(Capability.COUNTS_RECEIVERS));
        ServerClocks clocks = new ServerClocks(clock, new ServerTime(redis.micros()), clock.nanoTime());
        EngineParts parts = new EngineParts(
                new ScriptStore(transport, scripts, clocks),
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
                ServerFeatures.of("", SimulatedTransport.CAPABILITIES),
                limits,
                new FoundEventLoops());
        ClientConfig config = new ClientConfig(
                null,
                () -> transport,
                PREFIX,
                "memory-" + number,
                DEFAULTS,
                List.of(),
                CONNECT_TIMEOUT,
                COMMAND_TIMEOUT,
                OUTAGE_TOLERANCE,
                MAX_LEASE,
                MEMORY,
                TlsOptions.defaults(),
                null,
                Preflight.OFF,
                null,
                clock,
                clock,
                null,
                null,
                false,
                new LockFormats(Map.of()),
                false);
        return ClientFactory.assemble(config, transport, parts);
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

    /** Returns the server, which offers more faults. */
    public SimulatedRedis redis() {
        return redis;
    }

    /** Makes the connection break after the next request of this client is executed and before its reply arrives. */
    public void dropNextReply() {
        repliesToDrop.incrementAndGet();
    }

    /** Makes the connection break before the next request of this client reaches the server. */
    public void dropNextRequest() {
        requestsToDrop.incrementAndGet();
    }

    /** Sets whether this client cannot reach the server; other clients can. */
    public void cutOff(boolean off) {
        cutOff = off;
    }

    /**
     * Fails over to a replica that has not received the latest writes; see {@link SimulatedRedis#failOver}.
     *
     * @param lostWrites the number of the latest acquisitions, renewals and releases that are lost
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
    public DistributedLock lock(String name, LockFormat format) {
        return client.lock(name, format);
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
    public <T> T unwrap(Class<T> type) {
        return client.unwrap(type);
    }

    @Override
    public Inspector inspector() {
        return client.inspector();
    }

    @Override
    public List<ReleasedLease> releaseAll() {
        return client.releaseAll();
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
