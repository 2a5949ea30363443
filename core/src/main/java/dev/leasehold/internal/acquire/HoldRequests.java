package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wait.QueueEntry;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one acquisition. The first is that for a free lock, if the lock may be free and nobody may wait for it, as far
 * as this client knows; all others are decided in any state of the lock.
 */
final class HoldRequests {

    private final AcquireServices services;
    private final LockKey key;
    private final QueueEntry entry;
    private final String thread;
    private boolean expectsFree;
    private boolean sentIfFree;
    private @Nullable Holder holder;

    HoldRequests(AcquireServices services, AcquireRequest request, QueueEntry entry) {
        this.services = services;
        this.key = request.key();
        this.entry = entry;
        Thread caller = request.thread();
        this.thread = caller == null ? "" : caller.getName();
        this.expectsFree = key.kind() == LockKind.STANDARD && request.owner() == null && !request.fair();
    }

    /** It is tried together with others, by a request that is decided in any state of the locks. */
    void combined() {
        expectsFree = false;
    }

    /**
     * Returns the request that is sent now.
     *
     * @param takesPosition whether a waiter takes a position in the queue if it has none yet
     */
    LockRequest<AcquireHold.Answer> next(
            LeaseRecord record,
            @Nullable String label,
            ServerTime notAfter,
            boolean takesPosition,
            long now,
            long timeout) {
        if (holder == null) {
            holder = new Holder(services.process(), thread, label == null ? "" : label);
        }
        LeaseSpan lease = new LeaseSpan(record.leaseNanos());
        TokenFloor floor = services.floors().of(key);
        sentIfFree = expectsFree && entry.isAlone() && !services.contention().at(key, now) && entry.tokens() == 1;
        // The request for a free lock does not find the hold of an earlier request under this id.
        expectsFree = false;
        record.sent().lean(sentIfFree && holder.label().isEmpty());
        if (sentIfFree) {
            return new AcquireFreeLock(key, record.id(), lease, notAfter, floor, holder, timeout);
        }
        Waiter waiter = entry.nextWaiter(takesPosition);
        return new AcquireHold(key, record.id(), record.owner(), lease, notAfter, floor, holder, waiter, timeout);
    }

    /** Others hold the lock or wait for it. */
    void metOthers(long now) {
        services.contention().met(key, now);
    }

    /** Returns whether the latest answer gave no position to an acquisition that waits in the queue. */
    boolean lacksPosition() {
        return sentIfFree && entry != QueueEntry.NONE;
    }
}
