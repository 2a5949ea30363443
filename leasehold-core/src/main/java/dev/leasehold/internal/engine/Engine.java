package dev.leasehold.internal.engine;

import dev.leasehold.DistributedLatch;
import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.internal.acquire.AcquireServices;
import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.dispatch.EventDispatcher;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.election.ElectionServices;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.latch.LatchServices;
import dev.leasehold.internal.latch.LatchWaiters;
import dev.leasehold.internal.lease.ExportedLease;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.ThreadHolds;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lock.CallSites;
import dev.leasehold.internal.lock.LeaseExports;
import dev.leasehold.internal.lock.LeaseHandle;
import dev.leasehold.internal.lock.LeaseHandles;
import dev.leasehold.internal.lock.LeaseResumption;
import dev.leasehold.internal.lock.LockServices;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.internal.lock.MultiLockView;
import dev.leasehold.internal.lock.OptionsCheck;
import dev.leasehold.internal.lock.ReadWriteView;
import dev.leasehold.internal.lock.SemaphoreView;
import dev.leasehold.internal.release.Releases;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.renew.RenewalCollector;
import dev.leasehold.internal.renew.RenewalJudge;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.CallSender;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.ServerClock;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.internal.script.LockScripts;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.time.Clocks;
import dev.leasehold.internal.wait.FairWaiters;
import dev.leasehold.internal.wait.HandedLeases;
import dev.leasehold.internal.wait.LocalHandOff;
import dev.leasehold.internal.wait.LocalQueues;
import dev.leasehold.internal.wait.LocalWaiters;
import dev.leasehold.internal.wait.QueueHeartbeats;
import dev.leasehold.internal.wait.QueuePositions;
import dev.leasehold.internal.wait.QueueUpdates;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.internal.wait.ReaderTurns;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The lock engine of one client, put together: the only class that knows all parts. Every other class receives in its
 * constructor what it uses.
 */
public final class Engine {

    public final Lifecycle lifecycle;
    public final RequestContext context;
    public final LeaseTable leases;
    public final LeaseEvents events;
    public final Watchdog watchdog;
    public final Acquisitions acquisitions;
    public final LatchWaiters latchWaiters;

    private final OptionsCheck options;
    private final LeaseExports exports;
    private final LeaseTermination termination;
    private final LeaseResumption resumption;
    private final Inspection inspection;
    private final LockServices locks;
    private final LatchServices latches;
    private final ElectionServices elections;

    /** Puts the engine together; nothing is sent. */
    public Engine(EngineParts parts) {
        // Requests.
        this.lifecycle = new Lifecycle(parts.time());
        Clocks clocks = new Clocks(parts.time());
        Retention retention = new Retention(parts.limits().retention());
        this.context = new RequestContext(
                clocks,
                new ServerClock(parts.firstTime(), parts.firstSentAt()),
                parts.timer(),
                parts.limits(),
                new LockScripts(retention, parts.can(Capability.COUNTS_RECEIVERS)),
                lifecycle,
                parts.can(Capability.AT_MOST_ONCE),
                parts.jitter());
        BatchSender sender = new BatchSender(parts.transport(), parts.time(), parts.timer(), parts.lane());
        ReplicatedSender replicated =
                new ReplicatedSender(parts.transport(), parts.time(), parts.timer(), sender, parts.limits());
        MultiKeyCalls slots = new MultiKeyCalls(parts.can(Capability.CALLS_ACROSS_SLOTS));
        CallSender calls = new CallSender(parts.transport(), replicated, parts.time());
        StepExecutor steps = new StepExecutor(parts.callbacks());
        Drivers drivers = new Drivers(context, calls, steps);
        this.options = new OptionsCheck(parts.limits(), parts.capabilities(), parts.serverVersion());

        // Leases.
        ThreadHolds holds = new ThreadHolds();
        this.leases = new LeaseTable(parts.ids(), holds);
        this.events = new LeaseEvents(new EventDispatcher(parts.listeners(), parts.callbacks()), parts.time());
        this.termination = new LeaseTermination(context, sender, leases, events);
        LeaseValidity validity = new LeaseValidity(context, termination);
        TokenFloors floors = new TokenFloors(parts.limits().retention().toNanos());

        // Renewal.
        this.watchdog = new Watchdog(context, leases, events, termination);
        RenewalJudge judge = new RenewalJudge(context, termination, events, watchdog);
        LeaseExtensions extensions = new LeaseExtensions(context, drivers, validity, judge);

        // Waiting and hand-off.
        WakeListener wakeUps = new WakeListener(parts.transport(), parts.wakeChannel());
        ReaderGroups readers = new ReaderGroups(context, sender, floors);
        QueuePositions positions = new QueuePositions(context, sender, parts.wakeChannel());
        LocalQueues queues = new LocalQueues();
        QueueUpdates updates = new QueueUpdates(queues, positions, readers);
        HandedLeases handed = new HandedLeases(leases, termination, watchdog);
        LocalHandOff handOff = new LocalHandOff(
                context,
                queues,
                updates,
                handed,
                readers,
                new ReaderTurns(context, steps, queues, updates, handed, readers));
        LocalWaiters waiters = new LocalWaiters(
                queues,
                updates,
                handOff,
                handed,
                readers,
                wakeUps,
                new FairWaiters(wakeUps, positions, updates),
                new QueueHeartbeats(context, sender, slots, wakeUps, queues));
        wakeUps.add(waiters);
        termination.connect(handOff);

        // What callers see.
        this.acquisitions = new Acquisitions(
                new AcquireServices(
                        context, parts.process(), leases, events, termination, floors, watchdog, waiters, readers),
                validity,
                slots);
        Releases releases =
                new Releases(context, leases, events, termination, validity, floors, watchdog, handOff, readers);
        this.exports = new LeaseExports(leases, events, validity, handOff);
        LeaseHandles handles = new LeaseHandles(drivers, releases, events, validity, extensions, exports);
        CallSites callSites = new CallSites();
        this.inspection = new Inspection(context, calls);
        this.locks = new LockServices(
                context,
                options,
                drivers,
                acquisitions,
                releases,
                handles,
                inspection,
                leases,
                events,
                validity,
                extensions,
                holds,
                callSites);
        this.resumption = new LeaseResumption(context, options, drivers, acquisitions, handles, leases, callSites);

        // Recipes.
        this.latchWaiters = new LatchWaiters(parts.time());
        wakeUps.add(latchWaiters);
        this.latches = new LatchServices(context, drivers, wakeUps, latchWaiters, parts.ids());
        this.elections = new ElectionServices(context, steps, parts.callbacks());

        watchdog.start(new RenewalCollector(context, sender, replicated, slots, termination, judge, watchdog));
    }

    /** The lock of a key, each acquisition its own owner. */
    public DistributedLock lock(LockKey key, LockOptions defaults) {
        return LockView.of(locks, key, defaults);
    }

    /** The fair lock of a key. */
    public DistributedLock fairLock(LockKey key, LockOptions defaults) {
        return LockView.fair(locks, key, defaults);
    }

    /** The read-write lock of a key. */
    public DistributedReadWriteLock readWriteLock(LockKey key, LockOptions defaults) {
        return new ReadWriteView(locks, key, defaults);
    }

    /** The semaphore of a key. */
    public DistributedSemaphore semaphore(LockKey key, int permits, LockOptions defaults) {
        return SemaphoreView.of(locks, key, permits, defaults);
    }

    /** The locks of these keys, each of which is given once. */
    public MultiLock multiLock(List<LockKey> keys, LockOptions defaults) {
        return MultiLockView.of(locks, keys, defaults);
    }

    /** The latch of a key. */
    public DistributedLatch latch(LockKey key) {
        return latches.of(key);
    }

    /** A new group of candidates for leadership, which end together. */
    public Candidates candidates() {
        return new Candidates(elections);
    }

    /** Takes over a lease that another process exported, on this thread. */
    public Lease resume(ExportedLease exported, LockOptions leaseOptions) {
        return resumption.resume(exported, leaseOptions);
    }

    /** Takes over a lease that another process exported, without a waiting thread. */
    public CompletionStage<Lease> resumeAsync(ExportedLease exported, LockOptions leaseOptions) {
        return resumption.resumeAsync(exported, leaseOptions);
    }

    /** The id under which Redis knows the hold of a lease that an engine granted. */
    public static AcquisitionId holdOf(Lease lease) {
        return ((LeaseHandle) lease).hold();
    }

    /** Reads locks and latches. */
    public Inspection inspection() {
        return inspection;
    }

    /** Refuses options that the client or its server cannot meet. */
    public void check(LockOptions leaseOptions) {
        options.check(leaseOptions);
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        lifecycle.ensureOpen();
    }

    /**
     * Refuses new acquisitions, ends those that wait, and begins to give back all that is held. When {@link #quiet}, Redis has
     * answered to all of it.
     */
    public void shutDown() {
        lifecycle.close();
        for (LeaseRecord record : leases.all()) {
            if (record.holding() && !exports.letStand(record)) {
                termination.giveBack(record);
            }
        }
    }

    /** Returns whether no acquire is in flight, nothing is held, and Redis has answered to every release at least once. */
    public boolean quiet() {
        // In this order: a hold that is given back is among the unanswered before it leaves the table.
        return leases.isEmpty() && lifecycle.unanswered().isEmpty();
    }
}
