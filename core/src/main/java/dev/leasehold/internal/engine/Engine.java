package dev.leasehold.internal.engine;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.DistributedSemaphore;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.election.ElectionServices;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.latch.LatchServices;
import dev.leasehold.internal.latch.LatchWaiters;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lock.LeaseExports;
import dev.leasehold.internal.lock.LeaseHandle;
import dev.leasehold.internal.lock.LeaseResumption;
import dev.leasehold.internal.lock.LockServices;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.internal.lock.MultiLockView;
import dev.leasehold.internal.lock.ReadWriteView;
import dev.leasehold.internal.lock.SemaphoreView;
import dev.leasehold.internal.lock.ThreadHolds;
import dev.leasehold.internal.release.Revocations;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.recipes.DistributedLatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * The lock engine of one client, put together in four steps: requests, leases, waiters, and what callers see. Only this
 * package knows all parts; every other class receives in its constructor what it uses.
 */
public final class Engine {

    final Lifecycle lifecycle;
    final RequestContext context;
    final LeaseTable leases;
    final LeaseEvents events;
    final Watchdog watchdog;
    final Acquisitions acquisitions;
    final LatchWaiters latchWaiters;
    final ThreadHolds threadHolds;

    private final WakeListener wakeUps;
    private final LeaseValidity validity;
    private final LeaseExports exports;
    private final RetainedLocks retained;
    private final Revocations revocations;
    final LeaseTermination termination;
    private final LeaseResumption resumption;
    private final Inspection inspection;
    private final LockServices locks;
    private final LatchServices latches;
    private final ElectionServices elections;
    private final Runnable tracking;

    /** Puts the engine together; nothing is sent. */
    public Engine(EngineParts parts) {
        RequestAssembly requests = new RequestAssembly(parts);
        LeaseAssembly leasing = new LeaseAssembly(parts, requests);
        WaitAssembly waiting = new WaitAssembly(parts, requests, leasing);
        LockAssembly views = new LockAssembly(parts, requests, leasing, waiting);
        this.lifecycle = requests.lifecycle;
        this.context = requests.context;
        this.leases = leasing.leases;
        this.threadHolds = leasing.holds;
        this.events = leasing.events;
        this.termination = leasing.termination;
        this.validity = leasing.validity;
        this.watchdog = leasing.watchdog;
        this.latchWaiters = waiting.latchWaiters;
        this.wakeUps = waiting.wakeUps;
        this.acquisitions = views.acquisitions;
        this.exports = views.exports;
        this.retained = views.retained;
        this.revocations = views.revocations;
        this.inspection = views.inspection;
        this.locks = views.locks;
        this.resumption = views.resumption;
        this.latches = new LatchServices(context, requests.drivers, waiting.wakeUps, latchWaiters, parts.ids());
        this.elections = new ElectionServices(context, requests.steps, parts.callbacks());
        this.tracking = leasing.startRenewal(parts, requests);
        tracking.run();
    }

    /** The lock of a key, each acquisition its own owner. */
    public DistributedLock lock(LockKey key, LockOptions defaults) {
        return LockView.of(locks, key, defaults);
    }

    /** The fair lock of a key. */
    public LockView fairLock(LockKey key, LockOptions defaults) {
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

    /** Takes all leases away from their holders. */
    public List<ReleasedLease> releaseAll() {
        lifecycle.ensureOpen();
        return revocations.run();
    }

    /** Reads locks and latches. */
    public Inspection inspection() {
        return inspection;
    }

    /** All leases that are being acquired or held. */
    public LeaseTable leases() {
        return leases;
    }

    /** What is reported of leases and waits. */
    public LeaseEvents events() {
        return events;
    }

    /** Returns for how long the renewed lease is valid that has the least left; empty if none is renewed. */
    public Optional<Duration> leastValidity() {
        return validity.least(leases.all());
    }

    /** Redis refuses wake-ups to the user of this client: its waiters poll, from now on. */
    public void wakeUpsRefused() {
        wakeUps.refused();
    }

    /** Begins what needs features of the server, once they are known. */
    public void reached() {
        tracking.run();
    }

    /** Returns whether the client is closed. */
    public boolean closed() {
        return context.closed();
    }

    /** Throws once the client is closed. */
    public void ensureOpen() {
        lifecycle.ensureOpen();
    }

    /**
     * Refuses new acquisitions, ends those that wait, and begins to give back all that is held but the locks of leaders, whose
     * candidates have begun to end, and give them back once their listeners know.
     */
    public void shutDownButForTerms() {
        lifecycle.close();
        retained.close();
        giveBack(record -> !record.leads());
    }

    /**
     * Refuses new acquisitions, ends those that wait, and begins to give back all that is held. When {@link #quiet}, Redis has
     * answered to all of it.
     */
    public void shutDown() {
        shutDownButForTerms();
        giveBack(LeaseRecord::leads);
    }

    private void giveBack(Predicate<LeaseRecord> which) {
        for (LeaseRecord record : leases.all()) {
            if (record.holding() && which.test(record) && !exports.letStand(record)) {
                termination.giveBack(record);
            }
        }
    }

    /** Logs what is collected before it is logged, because the client is closed. */
    public void flushLogs() {
        termination.logLosses();
    }

    /** Returns whether no acquire is in flight, nothing is held, and Redis has answered to every release at least once. */
    public boolean quiet() {
        // In this order: a hold is in the table or among the unanswered before its retention ends, and among the
        // unanswered before it leaves the table.
        return retained.isEmpty() && leases.isEmpty() && lifecycle.unanswered().isEmpty();
    }
}
