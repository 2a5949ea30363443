package dev.leasehold.internal.renew;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.spi.InvalidationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Checks the leases of keys of which Redis says that they have changed: at once, but the same key not again within 100 ms, because
 * waiters change it, too, and of many keys some in each step. Its memory is bounded by the number of leases that Redis tracks. Safe
 * for use by any thread.
 */
public final class ChangedKeys implements InvalidationListener {

    private static final long REST_NANOS = 100_000_000;
    private static final long STEP_NANOS = 5_000_000;
    private static final int KEYS_IN_A_STEP = 1000;

    private final RequestContext context;
    private final BatchSender sender;
    private final LeaseTable leases;
    private final Renewer renewer;
    /** The keys that were checked in the last 100 ms or are about to be. */
    private final Map<String, State> recent = new ConcurrentHashMap<>();

    private final Queue<String> due = new ConcurrentLinkedQueue<>();
    /** Whether a step is planned that takes what is due. */
    private final AtomicBoolean planned = new AtomicBoolean();

    /** What happened to a key since it became due. */
    private enum State {
        DUE,
        CHECKED,
        /** It is checked again after its rest. */
        CHANGED_SINCE
    }

    public ChangedKeys(RequestContext context, BatchSender sender, LeaseTable leases, Renewer renewer) {
        this.context = context;
        this.sender = sender;
        this.leases = leases;
        this.renewer = renewer;
    }

    @Override
    public void invalidated(String key) {
        if (!leases.trackedKeys().contains(key)) {
            return;
        }
        State before = recent.putIfAbsent(key, State.DUE);
        if (before == null) {
            due.add(key);
            wake();
        } else {
            recent.replace(key, State.CHECKED, State.CHANGED_SINCE);
        }
    }

    @Override
    public void allInvalidated() {
        sender.handle(() -> leases.trackedKeys().forEach(this::invalidated));
    }

    private void wake() {
        if (planned.compareAndSet(false, true)) {
            sender.handle(this::checkSome);
        }
    }

    /** On the thread of the sender, which sends all checks in one flush when this returns. */
    private void checkSome() {
        List<String> checked = new ArrayList<>();
        for (String key = due.poll(); key != null; key = checked.size() < KEYS_IN_A_STEP ? due.poll() : null) {
            checked.add(key);
            // Before the check is sent: a change after that needs another one.
            recent.put(key, State.CHECKED);
            for (LeaseRecord lease : leases.trackedAt(key)) {
                renewer.check(lease);
            }
        }
        context.timer().schedule(() -> sender.handle(() -> rested(checked)), REST_NANOS);
        planned.set(false);
        if (!due.isEmpty() && planned.compareAndSet(false, true)) {
            context.timer().schedule(() -> sender.handle(this::checkSome), STEP_NANOS);
        }
    }

    private void rested(List<String> checked) {
        for (String key : checked) {
            if (!recent.remove(key, State.CHECKED)) {
                recent.put(key, State.DUE);
                due.add(key);
            }
        }
        if (!due.isEmpty()) {
            wake();
        }
    }
}
