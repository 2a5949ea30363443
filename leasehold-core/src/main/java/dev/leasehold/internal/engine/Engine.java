package dev.leasehold.internal.engine;

import dev.leasehold.Durability;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.ChangePermitsScript;
import dev.leasehold.internal.script.DowngradeScript;
import dev.leasehold.internal.script.GoOnScript;
import dev.leasehold.internal.script.HashScripts;
import dev.leasehold.internal.script.HoldScripts;
import dev.leasehold.internal.script.LeaveScript;
import dev.leasehold.internal.script.LookManyScript;
import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.internal.script.RequestReleaseScript;
import dev.leasehold.internal.script.ResumeScript;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.time.SuspensionWatch;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all parts of the engine share: its ports, the records of all leases, and how a lease is lost. No method of it
 * waits, and none holds a lock over a call of the transport.
 */
public final class Engine {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");

    final RedisTransport transport;
    final TimeSource time;
    final Timer timer;
    final EngineParts parts;
    final LeaveScript leave;
    final LookManyScript lookMany;
    final ChangePermitsScript changePermits;
    final DowngradeScript downgrade;
    final GoOnScript goOn;
    final ResumeScript resume;
    final RequestReleaseScript requestRelease;
    final ServerClock serverClock;
    final TokenFloors floors;
    final SuspensionWatch suspension;
    final EventDispatcher events;
    final BatchSender lane;
    final ReplicatedSender durable;
    final RenewalCollector renewals;
    final Watchdog watchdog;
    final LocalWaiters waitRoom;
    final ReaderGroups readRoom;
    final LatchWaiters latches;
    final ThreadHolds holds = new ThreadHolds();
    final CallSites callSites = new CallSites();

    private final HoldScripts hashes;
    private final HoldScripts strings = new PlainScripts();
    private final Map<AcquisitionId, LeaseRecord> records = new ConcurrentHashMap<>();
    private final ParkedThreads seats;
    private final Set<AsyncDriver<?>> asyncDrivers = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;
    private final AtomicLong handedOn = new AtomicLong();
    private final Set<Object> unanswered = ConcurrentHashMap.newKeySet();

    /** Puts the engine together; nothing is sent. */
    public Engine(EngineParts parts) {
        this.parts = parts;
        this.transport = parts.transport();
        this.time = parts.time();
        this.timer = parts.timer();
        this.seats = new ParkedThreads(time);
        Retention retention = new Retention(parts.limits().retention());
        this.hashes = new HashScripts(retention, parts.countsReceivers());
        this.goOn = new GoOnScript(retention);
        this.resume = new ResumeScript(retention);
        this.requestRelease = new RequestReleaseScript(retention);
        this.leave = new LeaveScript(parts.countsReceivers());
        this.lookMany = new LookManyScript(retention);
        this.changePermits = new ChangePermitsScript(retention, parts.countsReceivers());
        this.downgrade = new DowngradeScript(retention);
        this.serverClock = new ServerClock(parts.firstTime(), parts.firstSentAt());
        this.floors = new TokenFloors(parts.limits().retention().toNanos());
        this.suspension = new SuspensionWatch(parts.time());
        this.events = new EventDispatcher(parts.listeners(), parts.callbacks());
        this.lane = new BatchSender(transport, time, timer, parts.lane());
        this.durable = new ReplicatedSender(transport, time, timer, lane, parts.limits());
        this.renewals = new RenewalCollector(this);
        this.watchdog = new Watchdog(this);
        this.waitRoom = new LocalWaiters(this);
        this.readRoom = new ReaderGroups(this);
        this.latches = new LatchWaiters(this);
        watchdog.start();
    }

    /** How to speak to Redis about locks of this kind. */
    HoldScripts scripts(LockKind kind) {
        return switch (kind) {
            case STANDARD, READ, PERMITS, QUORUM -> hashes;
            case PLAIN -> strings;
        };
    }

    LeaseRecord newRecord(
            LockKey key, @Nullable OwnerKey owner, LockOptions options, @Nullable Thread thread, boolean tied) {
        AcquisitionId id = parts.ids().get();
        LeaseRecord record = new LeaseRecord(key, id, owner, options, thread, tied);
        // Before the request is sent, so that no grant is ever without its record.
        records.put(id, record);
        return record;
    }

    /** Drops the record: from here on it is not renewed. Synchronous, by id. */
    void forget(LeaseRecord record) {
        records.remove(record.id);
        record.sleep();
        holds.forget(record);
    }

    /** The id under which Redis knows the hold of a lease that an engine gave out: for whoever compares the two. */
    public static AcquisitionId holdOf(Lease lease) {
        return ((LeaseHandle) lease).hold();
    }

    /** All leases that are being acquired or held. */
    Collection<LeaseRecord> records() {
        return records.values();
    }

    ParkedThreads seats() {
        return seats;
    }

    /** A number for what is to be kept in the order of its beginning. */
    long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Asynchronous acquisitions under way; closing the client ends them. */
    Set<AsyncDriver<?>> asyncDrivers() {
        return asyncDrivers;
    }

    boolean closed() {
        return closed;
    }

    /**
     * Refuses new acquisitions, ends those that wait, and begins to give back all that is held. When {@link #quiet},
     * Redis has answered to all of it.
     */
    public void shutDown() {
        markClosed();
        for (LeaseRecord record : records()) {
            if (record.holding() && !LeaseExports.letStand(this, record)) {
                BackgroundRelease.giveBack(this, record);
            }
        }
    }

    /** Whether no acquire is on its way, nothing is held, and Redis has answered to every release at least once. */
    public boolean quiet() {
        // In this order: what is given back is among the unanswered before it leaves the records.
        return records.isEmpty() && unanswered.isEmpty();
    }

    /** Releases, and places given back, that Redis has not answered yet, on callers' threads and in the background. */
    Set<Object> unanswered() {
        return unanswered;
    }

    private void markClosed() {
        closed = true;
        seats.wakeAll();
        asyncDrivers.stream()
                .sorted(Comparator.comparingLong(AsyncDriver::number))
                .forEach(AsyncDriver::clientClosed);
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /**
     * Whether Redis may have executed the request, or may still: after an error, too, if the transport may have sent another
     * copy, which comes later and may fare better.
     */
    boolean maybeExecuted(RuntimeException failure) {
        return RequestFailures.maybeExecuted(failure)
                || (failure instanceof RedisErrorException && !parts.atMostOnce());
    }

    /** Refuses a lease that is longer than the client's maximum, and to wait for replicas or disks if that cannot be. */
    public void checkLease(LockOptions options) {
        parts.limits().checkLease(options);
        Durability durability = options.durability();
        if (durability.enabled() && !parts.waitsForReplicas()) {
            throw LockMessages.cannotWait(durability);
        }
        if (durability.onDisk() && !parts.waitsForDisks()) {
            throw LockMessages.noDisks(durability, parts.serverVersion());
        }
    }

    static IllegalStateException closedException() {
        return new IllegalStateException(
                "this Leasehold client is closed: use another, or close it only when the application ends");
    }

    /** The deadline passed: lost, and whatever Redis still has of it is given back. */
    void expire(LeaseRecord record) {
        LossCause stopped = record.renewalStopped;
        LossCause cause =
                stopped != null ? stopped : watchdog.renews(record) ? LossCause.UNCONFIRMED : LossCause.EXPIRED;
        if (lose(record, LeaseEvent.DEADLINE_PASSED, cause, null)) {
            BackgroundRelease.compensate(this, record, ServerTime.NONE);
        }
    }

    /** Redis does not know the hold any more. */
    void disown(LeaseRecord record, LeaseEvent event, LossCause cause, @Nullable String detail) {
        boolean unused = lose(record, event, cause, detail);
    }

    /** Returns whether it is lost by this, and nobody shared its hold. */
    private boolean lose(LeaseRecord record, LeaseEvent event, LossCause cause, @Nullable String detail) {
        Duration held = Duration.ofNanos(time.nanoTime() - record.grantedAt());
        LossEvent loss = new LossEvent(
                record.key.name(),
                record.owner().name(),
                record.token(),
                cause,
                held,
                detail,
                record.wasToldReleased());
        List<Consumer<LossEvent>> those =
                record.notice().lose(() -> record.apply(event).became(LeaseState.LOST), loss);
        if (those == null) {
            return false;
        }
        forget(record);
        // Before others of the process look for what is left.
        boolean last = readRoom.leave(record, false);
        waitRoom.ended(record);
        LOG.warn(
                "lost the lease of lock {} (id {}{}) after {}: {}",
                record.key.shown(),
                record.id.shown(),
                LockMessages.token(record.token()),
                held,
                LockMessages.lossReason(cause));
        record.tellEnd(cause.name());
        Flight.lost(record.key, record.token(), cause, held.toNanos());
        events.tellLoss(those, loss);
        events.tell(listener -> listener.lost(loss));
        LeaseObserver follower = record.follower();
        if (follower != null && !loss.afterRelease()) {
            follower.lost(loss);
        }
        Thread owner = record.thread;
        if (owner != null && record.options.interruptOnLoss()) {
            events.run(() -> record.notice().interrupt(owner));
        }
        return last;
    }

    /** Redis told at a renewal that somebody asks for the release of this lease. It tells so at each; its holder hears of it once. */
    void releaseRequested(LeaseRecord record) {
        if (!record.holding()) {
            return;
        }
        ReleaseRequestedEvent request =
                new ReleaseRequestedEvent(record.key.name(), record.owner().name(), record.token());
        List<Consumer<ReleaseRequestedEvent>> those = record.notice().request(request);
        if (those != null) {
            events.tellEach(those, request);
            events.tell(listener -> listener.releaseRequested(request));
        }
    }

    /** A lease is held. */
    void tellAcquired(LeaseRecord record, Duration waited, int tries, boolean handedOn) {
        record.told();
        if (events.heard()) {
            AcquiredEvent event = new AcquiredEvent(
                    record.key.name(), record.owner().name(), record.token(), waited, tries, handedOn);
            events.tell(listener -> listener.acquired(event));
            LeaseObserver follower = record.follower();
            if (follower != null) {
                follower.acquired(event);
            }
        }
    }

    /** A lease was given back. */
    void tellReleased(LeaseRecord record, boolean confirmed) {
        record.toldReleased();
        if (events.heard()) {
            Duration held = Duration.ofNanos(time.nanoTime() - record.grantedAt());
            ReleasedEvent event =
                    new ReleasedEvent(record.key.name(), record.owner().name(), held, confirmed);
            events.tell(listener -> listener.released(event));
            LeaseObserver follower = record.follower();
            if (follower != null) {
                follower.released(event);
            }
        }
    }

    /** A lease whose hold is another's from here on is closed. */
    void tellExported(LeaseRecord record) {
        record.tellEnd("EXPORTED");
        if (record.wasTold() && events.heard()) {
            Duration held = Duration.ofNanos(time.nanoTime() - record.grantedAt());
            ExportedEvent event =
                    new ExportedEvent(record.key.name(), record.owner().name(), held);
            events.tell(listener -> listener.exported(event));
            LeaseObserver follower = record.follower();
            if (follower != null) {
                follower.exported(event);
            }
        }
    }

    void runEvent(Runnable task) {
        events.run(task);
    }

    /** Runs a step of an asynchronous acquisition; on this very thread if the executor takes no more. */
    void runStep(Runnable step) {
        try {
            parts.callbacks().execute(step);
        } catch (RejectedExecutionException e) {
            step.run();
        }
    }

    /**
     * Orders what a holder did before its release before what the next holder of this process does after its grant, as
     * {@link java.util.concurrent.locks.Lock} demands, whatever threads of the transport were in between.
     */
    void publishBeforeRelease() {
        handedOn.incrementAndGet();
    }

    /** The other side of {@link #publishBeforeRelease}. */
    long acquireAfterGrant() {
        return handedOn.get();
    }
}
