package dev.leasehold.internal.renew;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
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
public final class RenewalCollector implements Renewer, BatchSender.Request {

    private static final int ANY_SLOT = -1;

    private final RequestContext context;
    private final BatchSender sender;
    private final ReplicatedSender replicated;
    private final MultiKeyCalls slots;
    private final LeaseTermination termination;
    private final RenewalJudge judge;
    private final Watchdog watchdog;
    private final Queue<RenewalRequest> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean announced = new AtomicBoolean();

    /** What the renewals of one call have in common. */
    private record Share(LockKind kind, int slot, long leaseNanos) {}

    public RenewalCollector(
            RequestContext context,
            BatchSender sender,
            ReplicatedSender replicated,
            MultiKeyCalls slots,
            LeaseTermination termination,
            RenewalJudge judge,
            Watchdog watchdog) {
        this.context = context;
        this.sender = sender;
        this.replicated = replicated;
        this.slots = slots;
        this.termination = termination;
        this.judge = judge;
        this.watchdog = watchdog;
    }

    @Override
    public void renew(LeaseRecord record) {
        RenewalRequest request = new RenewalRequest(context, termination, judge, watchdog, record);
        if (record.begins(request)) {
            submit(request);
        }
    }

    /** Takes a renewal that is due. Called by the timer. */
    private void submit(RenewalRequest request) {
        if (request.durability().enabled()) {
            sender.submit(new ReplicatedRenewal(context, sender, replicated, request));
            return;
        }
        due.add(request);
        if (announced.compareAndSet(false, true)) {
            if (request.mayWait()) {
                // Till the timer's next tick, because more are due in this one.
                context.timer().schedule(() -> sender.submit(this), 0);
            } else {
                sender.submit(this);
            }
        }
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
        Share share = new Share(request.kind(), slots.acrossSlots() ? ANY_SLOT : request.slot(), request.leaseNanos());
        RenewalBatch batch = open.get(share);
        if (batch == null || !batch.hasRoomFor(request)) {
            batch = new RenewalBatch(
                    context, sender, slots, share.kind, new LeaseSpan(share.leaseNanos), request.timeoutNanos());
            open.put(share, batch);
            sender.submit(batch);
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
