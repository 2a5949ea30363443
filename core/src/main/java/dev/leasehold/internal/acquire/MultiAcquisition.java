package dev.leasehold.internal.acquire;

import dev.leasehold.LockOptions;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseBundle;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.time.WaitLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition of several locks: an {@link Acquisition} of each, in the one order that all clients share, so that no client
 * waits for a lock while it holds one that comes later in that order. All locks that fit into one call are tried in one call
 * first, which acquires them in their order as far as they are free. The first busy lock is waited for, then the rest is tried
 * again.
 *
 * <p>Locks acquired so far are held and renewed while another is waited for. If one of them is lost meanwhile, it and all later
 * ones are acquired again.
 */
public final class MultiAcquisition implements Operation<MultiAcquisition.Outcome> {

    /** Acquired, the lock that was busy, or failed; none of these if it was abandoned. */
    public record Outcome(
            @Nullable LeaseBundle acquired,
            @Nullable LockKey busy,
            @Nullable RuntimeException failure) {}

    /** By slot first, so that locks that fit into one call are neighbours. */
    static final Comparator<LockKey> ORDER =
            Comparator.comparingInt(LockKey::slot).thenComparing(LockKey::key);

    private final Acquisitions acquisitions;
    private final RequestContext context;
    private final LeaseTermination termination;
    private final LeaseValidity validity;
    private final Watchdog watchdog;
    private final MultiKeyCalls slots;
    private final List<LockKey> names;
    private final List<LockKey> order;
    private final LockOptions options;
    private final @Nullable Thread thread;
    private final WaitLimit limit;
    private final long deadline;
    private final @Nullable TraceDispatcher trail;
    private final EndReport ends;

    /** The leases of the first locks of the order. */
    private final List<LeaseRecord> taken = new ArrayList<>();

    private @Nullable Acquisition current;
    private @Nullable CombinedAttempt joint;
    /** Whether the next lock was busy just now, so that it is waited for alone. */
    private boolean waits;
    /** Whether Redis has refused a call for several locks. */
    private boolean oneByOne;

    private boolean begun;
    private volatile Runnable waker = () -> {};
    /** The failure of the last try of several locks. */
    private @Nullable RuntimeException lastFailure;

    private int requests;
    private boolean unasked;
    private @Nullable Outcome done;

    /**
     * Prepares the acquisition; nothing is sent.
     *
     * @param names in the caller's order
     * @param options a loss interrupts the thread for the bundle, never for one of its leases
     */
    MultiAcquisition(
            Acquisitions acquisitions,
            AcquireServices services,
            LeaseValidity validity,
            MultiKeyCalls slots,
            List<LockKey> names,
            LockOptions options,
            @Nullable Thread thread,
            WaitLimit limit,
            @Nullable TraceDispatcher trail) {
        this.acquisitions = acquisitions;
        this.context = services.context();
        this.termination = services.termination();
        this.validity = validity;
        this.watchdog = services.watchdog();
        this.slots = slots;
        this.names = names;
        this.order = names.stream().sorted(ORDER).toList();
        this.options = options;
        this.thread = thread;
        this.trail = trail;
        this.limit = limit;
        // Replicas must acknowledge each lock, and a call for several locks cannot be repeated for one of them.
        this.oneByOne = options.durability().enabled();
        long now = context.now();
        this.ends = new EndReport(context, services.events(), trail, now);
        this.deadline = now
                + switch (limit.kind()) {
                    case ONCE -> context.commandNanos();
                    case TIMED -> limit.nanos();
                    case UNLIMITED -> Long.MAX_VALUE / 2;
                };
    }

    @Override
    public void wakeBy(Runnable wake) {
        waker = wake;
    }

    private void wakeDriver() {
        waker.run();
    }

    @Override
    public Step next() {
        while (done == null) {
            releaseFromFirstLost();
            if (current == null && joint == null) {
                begin();
            }
            Acquisition alone = current;
            CombinedAttempt together = joint;
            Step step = together != null ? together.next() : alone != null ? alone.next() : null;
            if (step instanceof Step.Over) {
                current = null;
                joint = null;
                if (together != null) {
                    settle(together.result());
                } else if (alone != null) {
                    settle(alone);
                }
            } else if (step != null) {
                requests += step instanceof Step.Send ? 1 : 0;
                return step;
            }
        }
        return Step.OVER;
    }

    /** Begins with the next locks; ends the acquisition if all are acquired or the time is over. */
    private void begin() {
        if (taken.size() == order.size()) {
            acquired();
            return;
        }
        LockKey key = order.get(taken.size());
        long left = deadline - context.now();
        if (begun && left <= 0) {
            outOfTime(key);
            return;
        }
        begun = true;
        taken.forEach(LeaseRecord::gather);
        List<LockKey> several = waits || oneByOne
                ? List.of()
                : CombinedAttempt.keysOfOneCall(order.subList(taken.size(), order.size()), slots);
        if (several.size() > 1) {
            long most = limit.kind() == WaitLimit.Kind.UNLIMITED ? 0 : Math.max(0, left);
            WaitLimit once = WaitLimit.ONCE.within(most);
            joint = new CombinedAttempt(
                    context,
                    slots,
                    several.stream().map(one -> acquisition(one, once)).toList(),
                    limit.kind() == WaitLimit.Kind.ONCE);
        } else {
            Acquisition next = acquisition(
                    key, limit.kind() == WaitLimit.Kind.UNLIMITED ? limit : limit.within(Math.max(0, left)));
            current = next;
        }
    }

    private Acquisition acquisition(LockKey key, WaitLimit rest) {
        Acquisition next = acquisitions.of(
                new AcquireRequest(key, null, optionsOfEach(), thread, false, false, false, rest, true, null));
        next.wakeBy(this::wakeDriver);
        next.labelled(trail == null ? null : trail.label());
        return next;
    }

    /** Judges a try of several locks at once: the first that was not acquired is tried alone, and waited for. */
    private void settle(CombinedAttempt.Result result) {
        result.taken().forEach(this::took);
        waits = !result.all();
        oneByOne |= result.refused();
        Acquisition judged = result.judged();
        lastFailure = judged == null ? null : judged.outcome().failure();
        if (judged != null && !result.refused() && limit.kind() == WaitLimit.Kind.ONCE) {
            over(judged);
        }
    }

    /** The options of each lock: a loss interrupts the thread once for all of them, and not before the caller has the lease. */
    private LockOptions optionsOfEach() {
        return options.interruptOnLoss()
                ? options.toBuilder().interruptOnLoss(false).build()
                : options;
    }

    private void settle(Acquisition acquisition) {
        waits = false;
        lastFailure = null;
        Acquisition.Outcome outcome = acquisition.outcome();
        LeaseRecord record = outcome.acquired();
        if (record != null) {
            took(record);
        } else {
            over(acquisition);
        }
    }

    /** Ends it as one of its acquisitions ended, without a lease. */
    private void over(Acquisition acquisition) {
        giveBackFrom(0);
        RuntimeException failure = acquisition.outcome().failure();
        over(acquisition.key(), failure == null ? WaitOutcome.BUSY : WaitOutcome.FAILED, failure);
    }

    private void over(LockKey key, WaitOutcome how, @Nullable RuntimeException failure) {
        done = new Outcome(null, how == WaitOutcome.BUSY ? key : null, failure);
        ends.notAcquired(key, how, requests, failure);
    }

    private void took(LeaseRecord record) {
        taken.add(record);
        if (taken.size() < order.size()) {
            // The wait for the next lock ends if this one is lost.
            renewMeanwhile(record);
        }
    }

    private void renewMeanwhile(LeaseRecord record) {
        record.gather();
        watchdog.confirmed(record);
        if (record.notice().add(loss -> wakeDriver()) != null) {
            wakeDriver();
        }
    }

    /**
     * Releases the first lost lease and all later ones: acquiring a lost lock again while holding later ones would break the order.
     * Once all are acquired, a lease that cannot be relied on counts as lost: the machine may have been suspended during the last
     * request.
     */
    private void releaseFromFirstLost() {
        boolean all = taken.size() == order.size();
        for (int i = 0; i < taken.size(); i++) {
            LeaseRecord record = taken.get(i);
            if (record.state() == LeaseState.LOST || (all && !validity.valid(record))) {
                stop(null);
                waits = false;
                giveBackFrom(i);
                return;
            }
        }
    }

    private void giveBackFrom(int first) {
        List<LeaseRecord> released = taken.subList(first, taken.size());
        for (LeaseRecord record : released) {
            if (record.state() != LeaseState.LOST) {
                termination.giveBack(record);
            }
        }
        released.clear();
    }

    private void acquired() {
        for (LeaseRecord record : taken) {
            if (record.gathered(context.now())) {
                // From here on it is renewed as its options say.
                watchdog.confirmed(record);
            }
        }
        List<LeaseRecord> inOrderOfNames =
                names.stream().map(name -> taken.get(order.indexOf(name))).toList();
        done = new Outcome(acquisitions.bundle(inOrderOfNames, options.interruptOnLoss() ? thread : null), null, null);
        waker = () -> {};
        if (trail != null) {
            BundleTrace.follow(context.clocks().time(), trail, inOrderOfNames, waited(), requests);
        }
    }

    private void outOfTime(LockKey key) {
        giveBackFrom(0);
        RuntimeException failure = lastFailure;
        if (failure == null && limit.kind() == WaitLimit.Kind.ONCE) {
            failure = AcquireMessages.outOfTime(key);
        }
        unasked = failure == null;
        over(key, failure == null ? WaitOutcome.BUSY : WaitOutcome.FAILED, failure);
    }

    /** Returns whether the time was over before the last lock was requested. */
    public boolean unasked() {
        return unasked;
    }

    @Override
    public void failed(RuntimeException failure) {
        CombinedAttempt together = joint;
        if (together != null) {
            together.failed(failure);
        } else {
            Objects.requireNonNull(current).failed(failure);
        }
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (done != null) {
            LeaseBundle bundle = done.acquired();
            if (bundle != null) {
                bundle.giveBack();
            }
            return;
        }
        LockKey key = order.get(Math.min(taken.size(), order.size() - 1));
        stop(reason);
        giveBackFrom(0);
        over(key, context.closed() ? WaitOutcome.FAILED : WaitOutcome.ABANDONED, reason);
    }

    private void stop(@Nullable RuntimeException reason) {
        Acquisition alone = current;
        CombinedAttempt together = joint;
        if (alone != null) {
            alone.abandon(reason);
        }
        if (together != null) {
            together.abandon(reason);
        }
        current = null;
        joint = null;
    }

    @Override
    public Outcome outcome() {
        return Objects.requireNonNull(done);
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }

    /** How long it may wait. */
    public WaitLimit limit() {
        return limit;
    }

    public Duration waited() {
        return ends.waited();
    }
}
