package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last tenures of one lock, its rate of hand-offs, the share of time it was held, and how long callers waited. Not safe for several
 * threads.
 */
final class LockHistory {

    /** The most tenures of a lock that are remembered. */
    static final int MOST_TENURES = 50;

    private static final int LATE_DIVISOR = 2;

    private final Deque<Tenure> tenures = new ArrayDeque<>();
    private final Decaying handOffs = new Decaying();
    private final Decaying heldSeconds = new Decaying();
    private final Waits waits = new Waits();
    private long lease;
    private long left;
    private boolean renewed;
    private @Nullable LockInfo info;

    /** Records that a refresh found the lock held. The times are those of the refresh. */
    HeldLock held(LockInfo found, Moment moment) {
        Tenure last = tenures.peekLast();
        long now = found.left().toMillis();
        if (last != null && last.held() && last.isOf(found)) {
            renewed |= now > left;
            replaceLast(new Tenure(last.info(), last.from(), moment.wallMillis(), true));
        } else {
            if (last != null) {
                handOffs.add(1, moment);
                end();
            }
            add(new Tenure(found, start(found, moment), moment.wallMillis(), true));
            renewed = false;
            lease = 0;
        }
        heldSeconds.add(moment.seconds(), moment);
        waits.record(found.waiters(), moment);
        lease = Math.max(lease, now);
        left = now;
        info = found;
        return new HeldLock(found, lease, renewed && now < lease / LATE_DIVISOR);
    }

    /** Records that a refresh found the lock free. */
    void free(Moment moment) {
        end();
        waits.record(List.of(), moment);
        info = null;
    }

    private static long start(LockInfo found, Moment moment) {
        Instant since = found.since();
        return since == null ? moment.wallMillis() : since.toEpochMilli();
    }

    private void end() {
        Tenure last = tenures.peekLast();
        if (last != null && last.held()) {
            replaceLast(new Tenure(last.info(), last.from(), last.until(), false));
        }
    }

    private void replaceLast(Tenure tenure) {
        tenures.removeLast();
        tenures.addLast(tenure);
    }

    private void add(Tenure tenure) {
        if (tenures.size() == MOST_TENURES) {
            tenures.removeFirst();
        }
        tenures.addLast(tenure);
    }

    /** Returns the tenures, the newest first. */
    List<Tenure> tenures() {
        List<Tenure> newestFirst = new ArrayList<>(tenures);
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    @Nullable
    LockInfo info() {
        return info;
    }

    double handOffs(Moment moment) {
        return handOffs.value(moment);
    }

    double heldSeconds(Moment moment) {
        return heldSeconds.value(moment);
    }

    /** Returns the wait that this share of those seen is not longer than, or null if none was seen. */
    @Nullable
    Duration waited(double share) {
        return waits.quantile(share);
    }
}
