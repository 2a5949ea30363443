package dev.leasehold.internal.dispatch;

import dev.leasehold.event.FailureReason;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The outages of one kind of request, such as renewals: each lasts from the first failure with a reason until a request of this kind
 * succeeds. Decides which failures get a line of the log, so that an outage gets one and short outages in a row get few. Safe for use
 * by any thread.
 */
public final class Outages {

    /** The least time between two reports of one reason. After so long without a failure, the next one begins another outage. */
    private static final long QUIET_NANOS = 60_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    /** The last outage by reason. Guarded by the lock. */
    private final Map<FailureReason, Outage> last = new EnumMap<>(FailureReason.class);

    /** Whether there is one now: successes are frequent, and need not take the lock. */
    private volatile boolean open;

    /**
     * An outage.
     *
     * @param reason why requests fail
     * @param since when its first failure was counted
     * @param latest when its last one was
     */
    public record Current(FailureReason reason, long since, long latest) {}

    /**
     * An outage, or the last one of its reason.
     *
     * @param reportedAt when this outage, or one before it, was reported
     * @param reported whether it was this one
     * @param open whether no request has succeeded since
     */
    private record Outage(long since, long latest, long reportedAt, boolean reported, boolean open) {

        Outage over() {
            return new Outage(since, latest, reportedAt, reported, false);
        }
    }

    /** Counts a failure, and returns whether it is to be reported as the beginning of an outage. */
    public boolean failed(FailureReason reason, long now) {
        lock.lock();
        try {
            open = true;
            Outage before = last.get(reason);
            if (before == null) {
                last.put(reason, new Outage(now, now, now, true, true));
                return true;
            }
            boolean begins = !before.open || now - before.latest >= QUIET_NANOS;
            boolean known = !begins && before.reported;
            boolean reports = !known && now - before.reportedAt >= QUIET_NANOS;
            last.put(
                    reason,
                    new Outage(
                            begins ? now : before.since,
                            now,
                            reports ? now : before.reportedAt,
                            known || reports,
                            true));
            return reports;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A request has succeeded.
     *
     * @param disproved the reasons of the outages that are over by that
     * @return the longest of those whose beginning was reported
     */
    public Optional<Current> succeeded(Set<FailureReason> disproved) {
        if (!open) {
            return Optional.empty();
        }
        lock.lock();
        try {
            Optional<Current> over = first(disproved, true);
            last.replaceAll((reason, outage) -> disproved.contains(reason) ? outage.over() : outage);
            open = last.values().stream().anyMatch(Outage::open);
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the outage with one of these reasons that has lasted for the longest time, if there is one. */
    public Optional<Current> current(Set<FailureReason> reasons) {
        if (!open) {
            return Optional.empty();
        }
        lock.lock();
        try {
            return first(reasons, false);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Current> first(Set<FailureReason> reasons, boolean reported) {
        return last.entrySet().stream()
                .filter(each -> reasons.contains(each.getKey()))
                .filter(each -> each.getValue().open && (each.getValue().reported || !reported))
                .map(each -> new Current(each.getKey(), each.getValue().since, each.getValue().latest))
                .min(Comparator.comparing(Current::since, (one, other) -> Long.signum(one - other)));
    }
}
