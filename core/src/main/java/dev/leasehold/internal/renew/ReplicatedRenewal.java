package dev.leasehold.internal.renew;

import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.PendingRequest;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of a lease that replicas must acknowledge: the lease is extended only if enough of them have the new end, too. A
 * confirmation is sent like that of any other lease, because it extends nothing.
 */
final class ReplicatedRenewal implements BatchSender.Request<RenewHold.Answer> {

    private final RequestContext context;
    private final BatchSender sender;
    private final ReplicatedSender replicated;
    private final HoldRequest request;

    ReplicatedRenewal(RequestContext context, BatchSender sender, ReplicatedSender replicated, HoldRequest request) {
        this.context = context;
        this.sender = sender;
        this.replicated = replicated;
        this.request = request;
    }

    @Override
    public @Nullable RenewHold prepare(long now) {
        RenewHold renewal = request.prepare(now);
        if (renewal == null || renewal.lease().equals(LeaseSpan.CONFIRM)) {
            return renewal;
        }
        // The timeout includes the wait for the group before this one.
        long sentAt = context.now();
        PendingRequest.await(
                replicated.send(renewal, request.durability()),
                renewal.timeoutNanos(),
                context.timer(),
                sender::handle,
                new Outcome(sentAt));
        return null;
    }

    @Override
    public void answered(long sentAt, RenewHold.Answer answer) {
        request.answered(sentAt, answer);
    }

    @Override
    public void answeredLate(long sentAt, RenewHold.Answer answer) {
        request.answeredLate(sentAt, answer);
    }

    @Override
    public void failed(Throwable failure) {
        request.failed(failure);
    }

    /** The outcome of a renewal that was sent with a group. */
    private final class Outcome implements PendingRequest.Handler<RenewHold.Answer> {

        private final long sentAt;

        Outcome(long sentAt) {
            this.sentAt = sentAt;
        }

        @Override
        public void answered(RenewHold.Answer answer) {
            request.answered(sentAt, answer);
        }

        @Override
        public void failed(RuntimeException failure) {
            request.failed(failure);
        }

        @Override
        public void answeredLate(RenewHold.Answer answer) {
            request.answeredLate(sentAt, answer);
        }
    }
}
