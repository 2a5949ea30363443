package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.spi.ScriptCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the renewals that are due into as few calls as may be, all of which leave in one flush. As a request of the lane
 * it sends nothing itself: when its turn comes it submits a {@link RenewalBatch} for every call.
 */
final class RenewalCollector implements BatchSender.Request {

    private static final int ANY_SLOT = -1;

    private final Engine engine;
    private final Queue<RenewalRequest> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean announced = new AtomicBoolean();
    private volatile boolean acrossSlots;

    /** What the renewals of one call have in common. */
    private record Share(LockKind kind, int slot, long leaseNanos) {}

    RenewalCollector(Engine engine) {
        this.engine = engine;
        this.acrossSlots = engine.parts.callsAcrossSlots();
    }

    /** Whether one call may have keys of any slots. */
    boolean acrossSlots() {
        return acrossSlots;
    }

    /** Takes a renewal that is due. Called by the timer. */
    void submit(RenewalRequest request) {
        if (request.durability().enabled()) {
            engine.lane.submit(new ReplicatedRenewal(engine, request));
            return;
        }
        due.add(request);
        if (announced.compareAndSet(false, true)) {
            if (request.mayWait()) {
                // Till the timer's next tick, because more are due in this one.
                engine.timer.schedule(() -> engine.lane.submit(this), 0);
            } else {
                engine.lane.submit(this);
            }
        }
    }

    /** What looked like a single server has slots after all, as a proxy before a cluster may hide. */
    void keepToSlots() {
        acrossSlots = false;
    }

    @Override
    public @Nullable ScriptCall prepare(long now) {
        // Before the queue is emptied, so that who comes later than that is not forgotten.
        announced.set(false);
        Map<Share, RenewalBatch> open = new HashMap<>();
        for (RenewalRequest request = due.poll(); request != null; request = due.poll()) {
            try {
                batchFor(request, open).add(request);
            } catch (RuntimeException | Error e) {
                RenewalBatch.fail(request, e);
            }
        }
        return null;
    }

    private RenewalBatch batchFor(RenewalRequest request, Map<Share, RenewalBatch> open) {
        Share share = new Share(request.kind(), acrossSlots ? ANY_SLOT : request.slot(), request.leaseNanos());
        RenewalBatch batch = open.get(share);
        if (batch == null || !batch.hasRoomFor(request)) {
            batch = new RenewalBatch(engine, share.kind, new LeaseSpan(share.leaseNanos), request.timeoutNanos());
            open.put(share, batch);
            engine.lane.submit(batch);
        }
        return batch;
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        throw new IllegalStateException("nothing was asked");
    }

    @Override
    public void failed(Throwable failure) {
        throw new IllegalStateException("the renewals could not be gathered", failure);
    }
}
