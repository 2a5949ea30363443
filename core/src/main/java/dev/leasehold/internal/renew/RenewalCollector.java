package dev.leasehold.internal.renew;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.StoreRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Collects the renewals that are due into as few requests as possible, all of which the sender sends in one flush. It is itself a
 * request of the sender, but sends nothing: when the sender prepares it, it submits one {@link RenewalBatch} for each.
 */
public final class RenewalCollector implements Renewer, BatchSender.Request<Void> {

    private static final int ANY_SLOT = -1;

    private final RequestContext context;
    private final BatchSender sender;
    private final ReplicatedSender replicated;
    private final MultiKeyCalls slots;
    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final RenewalJudge judge;
    private final Watchdog watchdog;
    private final Queue<HoldRequest> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean submitted = new AtomicBoolean();

    /** The properties that all renewals of one batch have in common. */
    private record BatchKey(LockKind kind, int slot, LeaseSpan span) {}

    public RenewalCollector(
            RequestContext context,
            BatchSender sender,
            ReplicatedSender replicated,
            MultiKeyCalls slots,
            LeaseTable leases,
            LeaseTermination termination,
            RenewalJudge judge,
            Watchdog watchdog) {
        this.context = context;
        this.sender = sender;
        this.replicated = replicated;
        this.slots = slots;
        this.leases = leases;
        this.termination = termination;
        this.judge = judge;
        this.watchdog = watchdog;
    }

    @Override
    public void renew(LeaseRecord record) {
        int number = record.plan().begin();
        if (number != 0) {
            submit(new RenewalRequest(context, termination, judge, watchdog, record, number));
        }
    }

    @Override
    public void check(LeaseRecord record) {
        boolean first = !record.plan().tracked();
        leases.track(record);
        submit(new HoldCheck(context, judge, record, first));
    }

    /** Adds a request that is due. Called on the timer's thread. */
    private void submit(HoldRequest request) {
        if (request.durability().enabled()) {
            sender.submit(new ReplicatedRenewal(context, sender, replicated, request));
            return;
        }
        due.add(request);
        if (submitted.compareAndSet(false, true)) {
            if (request.toleratesDelay()) {
                // At the timer's next tick, because more renewals are due in this one.
                context.timer().schedule(() -> sender.submit(this), 0);
            } else {
                sender.submit(this);
            }
        }
    }

    @Override
    public @Nullable StoreRequest<Void> prepare(long now) {
        // Before the queue is drained: a renewal that is added after the drain must submit this collector again.
        submitted.set(false);
        Map<BatchKey, RenewalBatch> open = new HashMap<>();
        for (HoldRequest request = due.poll(); request != null; request = due.poll()) {
            try {
                batchFor(request, open).add(request);
            } catch (RuntimeException | Error e) {
                RenewalBatch.fail(request, e);
            }
        }
        return null;
    }

    private RenewalBatch batchFor(HoldRequest request, Map<BatchKey, RenewalBatch> open) {
        BatchKey key =
                new BatchKey(request.kind(), slots.acrossSlots() ? ANY_SLOT : request.slot(), request.spanInBatch());
        RenewalBatch batch = open.get(key);
        if (batch == null || !batch.accepts(request)) {
            batch = new RenewalBatch(context, sender, slots, key.kind, key.span, request.timeoutNanos());
            open.put(key, batch);
            sender.submit(batch);
        }
        return batch;
    }

    @Override
    public void answered(long sentAt, Void answer) {
        throw new IllegalStateException("the collector sent no request");
    }

    @Override
    public void failed(Throwable failure) {
        throw new IllegalStateException("the renewals could not be collected", failure);
    }
}
