package dev.leasehold.internal.engine;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.HeldLongEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewalFailedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.RetainedEvent;
import dev.leasehold.event.RetentionEndedEvent;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.latch.LatchWaiters;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** An engine in virtual time over a scripted port, on one thread. */
public final class EngineRig implements LeaseholdListener {

    public static final Duration LEASE = Duration.ofSeconds(30);
    public static final LockOptions OPTIONS = LockOptions.defaults();
    public static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    public static final LockKey KEY = LockKey.of(PREFIX, "a");
    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(2), Duration.ofSeconds(10), Duration.ofDays(1), Duration.ofMinutes(1));

    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(LIMITS.rememberTokens()), true);

    public final VirtualTime time = new VirtualTime();
    public final ScriptedTransport redis = new ScriptedTransport(time);
    public final List<AcquiredEvent> acquired = new ArrayList<>();
    public final List<WaitingEvent> waiting = new ArrayList<>();
    public final List<WaitEndedEvent> waitEnded = new ArrayList<>();
    public final List<ReleasedEvent> released = new ArrayList<>();
    public final List<LossEvent> lost = new ArrayList<>();
    public final List<FailedEvent> failed = new ArrayList<>();
    public final List<RenewalFailedEvent> renewalFailed = new ArrayList<>();
    /** The retained holds without a lease, and what became of those that there were. */
    public int idle;

    public final List<RetentionOutcome> retentionsEnded = new ArrayList<>();
    public final List<HeldLongEvent> heldLong = new ArrayList<>();
    public final List<RenewedEvent> renewed = new ArrayList<>();
    public final List<ReleaseRequestedEvent> requested = new ArrayList<>();
    /** Runs on the thread that releases a lease, while it does so. */
    public Runnable whenReleased = () -> {};
    /** What leases that are alike differ by, from 0 to 1. */
    public DoubleSupplier jitter = () -> 0;
    /** Whether the calling thread must not block. */
    public BooleanSupplier onEventLoop = () -> false;

    private final List<Lease> inHand = new ArrayList<>();
    public final Engine engine;

    public EngineRig() {
        this(LIMITS, true);
    }

    public EngineRig(boolean atMostOnce) {
        this(LIMITS, atMostOnce);
    }

    public EngineRig(Duration commandTimeout) {
        this(new Limits(commandTimeout, Duration.ofSeconds(10), Duration.ofDays(1), Duration.ofMinutes(1)), true);
    }

    /** Runs listeners and the later steps of asynchronous operations there. */
    public EngineRig(Executor callbacks, Set<Capability> capabilities) {
        this.engine = new Engine(with(parts(redis, Runnable::run, callbacks, true, LIMITS), capabilities));
    }

    private EngineRig(Limits limits, boolean atMostOnce) {
        this.engine = new Engine(parts(redis, Runnable::run, Runnable::run, atMostOnce, limits));
    }

    public EngineParts parts(
            RedisTransport transport, Executor sender, Executor callbacks, boolean atMostOnce, Limits limits) {
        AtomicInteger ids = new AtomicInteger();
        return new EngineParts(
                store(transport),
                time,
                time,
                sender,
                callbacks,
                () -> new AcquisitionId("acquisition-" + ids.incrementAndGet()),
                () -> jitter.getAsDouble(),
                List.of(this),
                "17@host",
                new WakeChannel(PREFIX, "client-1"),
                ServerFeatures.of(
                        "", atMostOnce ? Set.of(Capability.AT_MOST_ONCE, Capability.COUNTS_RECEIVERS) : Set.of()),
                limits,
                () -> onEventLoop.getAsBoolean());
    }

    public static EngineParts with(EngineParts parts, Timer timer, Executor sender) {
        return with(parts, timer, sender, parts.listeners(), parts.features());
    }

    public static EngineParts with(EngineParts parts, LeaseholdListener listener) {
        return with(parts, parts.timer(), parts.sender(), List.of(listener), parts.features());
    }

    public static EngineParts with(EngineParts parts, Set<Capability> capabilities) {
        return with(parts, parts.features().version(), capabilities);
    }

    public static EngineParts with(EngineParts parts, String serverVersion, Set<Capability> capabilities) {
        ServerFeatures features = ServerFeatures.of(serverVersion, capabilities);
        return with(parts, parts.timer(), parts.sender(), parts.listeners(), features);
    }

    private static EngineParts with(
            EngineParts parts,
            Timer timer,
            Executor sender,
            List<LeaseholdListener> listeners,
            ServerFeatures features) {
        return new EngineParts(
                parts.store(),
                parts.time(),
                timer,
                sender,
                parts.callbacks(),
                parts.ids(),
                parts.jitter(),
                listeners,
                parts.process(),
                parts.wakeChannel(),
                features,
                parts.limits(),
                parts.onEventLoop());
    }

    public static Limits limits() {
        return LIMITS;
    }

    public DistributedLock lock() {
        return lock(OPTIONS);
    }

    public DistributedLock lock(LockOptions options) {
        return engine.lock(KEY, options);
    }

    public Lease held() {
        return held(OPTIONS);
    }

    /** Kept by the rig too: a lease that nobody can reach any more is not renewed. */
    public Lease held(LockOptions options) {
        Lease lease = lock(options).tryAcquire().orElseThrow();
        inHand.add(lease);
        return lease;
    }

    /** The only record that the engine has. */
    public LeaseRecord record() {
        if (records().size() != 1) {
            throw new AssertionError("records: " + records().size());
        }
        return records().iterator().next();
    }

    /** All leases that are being acquired or held. */
    public Collection<LeaseRecord> records() {
        return records(engine);
    }

    public LeaseTable leases() {
        return engine.leases;
    }

    /** How many holds of threads the engine has not forgotten. */
    public int threadHolds() {
        return engine.threadHolds.size();
    }

    public LeaseEvents events() {
        return engine.events;
    }

    public Lifecycle lifecycle() {
        return engine.lifecycle;
    }

    public RequestContext context() {
        return engine.context;
    }

    public Acquisitions acquisitions() {
        return engine.acquisitions;
    }

    public LatchWaiters latchWaiters() {
        return engine.latchWaiters;
    }

    public static Watchdog watchdog(Engine engine) {
        return engine.watchdog;
    }

    public static Collection<LeaseRecord> records(Engine engine) {
        return engine.leases.all();
    }

    /** A store over a port, by the scripts that the rig knows. */
    public LockStore store(RedisTransport transport) {
        ServerClocks clocks = new ServerClocks(time, new ServerTime(time.serverMicros()), time.nanoTime());
        return new ScriptStore(transport, SCRIPTS, clocks);
    }

    /** The script call that serves a request. */
    public static ScriptCall call(Step.Send<?> send) {
        return SCRIPTS.call(send.request());
    }

    /** Answers a request as the reply of its script says. */
    public static <A> void answer(Step.Send<A> send, List<String> reply) {
        send.answered().accept(SCRIPTS.read(send.request(), reply));
    }

    public void pass(Duration duration) {
        time.pass(duration);
    }

    @Override
    public void acquired(AcquiredEvent event) {
        acquired.add(event);
    }

    @Override
    public void waiting(WaitingEvent event) {
        waiting.add(event);
    }

    @Override
    public void waitEnded(WaitEndedEvent event) {
        waitEnded.add(event);
    }

    @Override
    public void retained(RetainedEvent event) {
        idle++;
    }

    @Override
    public void retentionEnded(RetentionEndedEvent event) {
        idle--;
        retentionsEnded.add(event.outcome());
    }

    @Override
    public void released(ReleasedEvent event) {
        released.add(event);
        whenReleased.run();
    }

    @Override
    public void lost(LossEvent event) {
        lost.add(event);
    }

    @Override
    public void failed(FailedEvent event) {
        failed.add(event);
    }

    @Override
    public void renewalFailed(RenewalFailedEvent event) {
        renewalFailed.add(event);
    }

    @Override
    public void heldLong(HeldLongEvent event) {
        heldLong.add(event);
    }

    @Override
    public void renewed(RenewedEvent event) {
        renewed.add(event);
    }

    @Override
    public void releaseRequested(ReleaseRequestedEvent event) {
        requested.add(event);
    }
}
