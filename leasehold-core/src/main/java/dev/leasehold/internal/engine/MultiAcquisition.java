package dev.leasehold.internal.engine;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition of several locks: an {@link Acquisition} of each, one after another in the one order that all clients
 * share, so that nobody waits for a lock while holding one that comes after it. Those that are there are held, and renewed,
 * while the next is waited for; if one of them is lost meanwhile, all from it on are taken anew.
 */
final class MultiAcquisition implements Operation<MultiAcquisition.Outcome> {

    /** Acquired, the lock that was busy, or failed; none of these if it was abandoned. */
    record Outcome(
            @Nullable Bundle acquired,
            @Nullable LockKey busy,
            @Nullable RuntimeException failure) {}

    /** By slot first, so that those that one call can carry lie side by side. */
    static final Comparator<LockKey> ORDER =
            Comparator.comparingInt(LockKey::slot).thenComparing(LockKey::key);

    private final Engine engine;
    private final List<LockKey> names;
    private final List<LockKey> order;
    private final LockOptions options;
    private final @Nullable Thread thread;
    private final WaitLimit limit;
    private final long startedAt;
    private final long deadline;

    /** The leases of the first locks of the order. */
    private final List<LeaseRecord> taken = new ArrayList<>();

    private @Nullable Acquisition current;
    /** The last acquisition of each lock, for answers that come late. */
    private final Map<String, Acquisition> asked = new ConcurrentHashMap<>();

    private volatile @Nullable Runnable waker;
    private @Nullable Outcome done;

    /**
     * Begins nothing yet.
     *
     * @param names in the caller's order
     * @param options a loss interrupts the thread for the bundle, never for one of its leases
     */
    MultiAcquisition(
            Engine engine, List<LockKey> names, LockOptions options, @Nullable Thread thread, WaitLimit limit) {
        this.engine = engine;
        this.names = names;
        this.order = names.stream().sorted(ORDER).toList();
        this.options = options;
        this.thread = thread;
        this.limit = limit;
        this.startedAt = engine.time.nanoTime();
        this.deadline = startedAt
                + switch (limit.kind()) {
                    case ONCE -> engine.parts.limits().commandNanos();
                    case TIMED -> limit.nanos();
                    case UNLIMITED -> Long.MAX_VALUE / 2;
                };
    }

    @Override
    public void wakeBy(Runnable wake) {
        waker = wake;
    }

    private void wake() {
        Runnable wake = waker;
        if (wake != null) {
            wake.run();
        }
    }

    @Override
    public Step next() {
        while (done == null) {
            dropFromTheFirstLost();
            Acquisition acquisition = current == null ? begin() : current;
            if (acquisition != null) {
                Step step = acquisition.next();
                if (!(step instanceof Step.Over)) {
                    return step;
                }
                current = null;
                settle(acquisition);
            }
        }
        return new Step.Over();
    }

    /** The acquisition of the next lock; null if there is none, because all are there or the time is over. */
    private @Nullable Acquisition begin() {
        if (taken.size() == order.size()) {
            acquired();
            return null;
        }
        LockKey key = order.get(taken.size());
        long left = deadline - engine.time.nanoTime();
        if (!asked.isEmpty() && left <= 0) {
            outOfTime(key);
            return null;
        }
        taken.forEach(LeaseRecord::gather);
        WaitLimit rest = limit.kind() == WaitLimit.Kind.UNLIMITED ? limit : limit.within(Math.max(0, left));
        Acquisition next = new Acquisition(engine, key, null, parts(), thread, false, false, rest);
        next.wakeBy(this::wake);
        asked.put(key.key(), next);
        current = next;
        return next;
    }

    /** The thread is interrupted once for all, and not before the caller has the lease. */
    private LockOptions parts() {
        return options.interruptOnLoss()
                ? options.toBuilder().interruptOnLoss(false).build()
                : options;
    }

    private void settle(Acquisition acquisition) {
        Acquisition.Outcome outcome = acquisition.outcome();
        LeaseRecord record = outcome.acquired();
        if (record != null) {
            taken.add(record);
            if (taken.size() < order.size()) {
                // Whoever waits for the next is to learn that this one is lost.
                lookedAfter(record);
            }
        } else {
            giveBackFrom(0);
            done = new Outcome(null, outcome.failure() == null ? acquisition.key() : null, outcome.failure());
        }
    }

    private void lookedAfter(LeaseRecord record) {
        record.gather();
        engine.watchdog.confirmed(record);
        if (record.notice().add(loss -> wake()) != null) {
            wake();
        }
    }

    /** To take what was lost anew while those after it are held would break the order. */
    private void dropFromTheFirstLost() {
        for (int i = 0; i < taken.size(); i++) {
            if (taken.get(i).state() == LeaseState.LOST) {
                Acquisition waiting = current;
                if (waiting != null) {
                    waiting.abandon(null);
                    current = null;
                }
                giveBackFrom(i);
                return;
            }
        }
    }

    private void giveBackFrom(int first) {
        List<LeaseRecord> those = taken.subList(first, taken.size());
        for (LeaseRecord record : those) {
            if (record.state() != LeaseState.LOST) {
                BackgroundRelease.giveBack(engine, record);
            }
        }
        those.clear();
    }

    private void acquired() {
        for (LeaseRecord record : taken) {
            if (record.gathered()) {
                // From here on it is renewed as its holder wants it.
                engine.watchdog.confirmed(record);
            }
        }
        List<LeaseRecord> inOrderOfNames =
                names.stream().map(name -> taken.get(order.indexOf(name))).toList();
        done = new Outcome(new Bundle(engine, inOrderOfNames, options.interruptOnLoss() ? thread : null), null, null);
        waker = null;
    }

    private void outOfTime(LockKey key) {
        giveBackFrom(0);
        boolean busy = limit.kind() != WaitLimit.Kind.ONCE;
        done = new Outcome(null, busy ? key : null, busy ? null : Messages.outOfTime(key));
    }

    @Override
    public void answered(List<String> reply) {
        Objects.requireNonNull(current).answered(reply);
    }

    @Override
    public void failed(RuntimeException failure) {
        Objects.requireNonNull(current).failed(failure);
    }

    @Override
    public void answeredLate(ScriptCall call, List<String> reply) {
        Acquisition late = asked.get(call.keys().get(0));
        if (late != null) {
            late.answeredLate(call, reply);
        }
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (done != null) {
            Bundle bundle = done.acquired();
            if (bundle != null) {
                bundle.giveBack();
            }
            return;
        }
        Acquisition waiting = current;
        if (waiting != null) {
            waiting.abandon(reason);
            current = null;
        }
        giveBackFrom(0);
        done = new Outcome(null, null, reason);
    }

    @Override
    public Outcome outcome() {
        return Objects.requireNonNull(done);
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }

    Duration waited() {
        return Duration.ofNanos(engine.time.nanoTime() - startedAt);
    }
}
