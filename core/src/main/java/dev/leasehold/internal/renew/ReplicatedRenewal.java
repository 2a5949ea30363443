package dev.leasehold.internal.renew;

import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.spi.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of a lease that replicas must acknowledge: the lease is extended only if enough of them have the new end, too. A
 * confirmation is sent like that of any other lease, because it extends nothing.
 */
final class ReplicatedRenewal implements BatchSender.Request<RenewHold.Answer> {

    private final RequestContext context;
    private final BatchSender sender;
    private final ReplicatedSender replicated;
    private final RenewalRequest request;

    ReplicatedRenewal(RequestContext context, BatchSender sender, ReplicatedSender replicated, RenewalRequest request) {
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
        AtomicBoolean done = new AtomicBoolean();
        Timer.Timeout timeout = context.timer()
                .schedule(
                        () -> {
                            if (done.compareAndSet(false, true)) {
                                sender.handle(() -> request.failed(RequestFailures.timedOut(renewal.timeoutNanos())));
                            }
                        },
                        renewal.timeoutNanos());
        CompletionStage<?> unused = replicated
                .send(renewal, request.durability(), true)
                .whenComplete((answer, failure) -> {
                    boolean late = !done.compareAndSet(false, true);
                    timeout.cancel();
                    sender.handle(() -> settle(sentAt, answer, failure, late));
                });
        return null;
    }

    private void settle(long sentAt, RenewHold.@Nullable Answer answer, @Nullable Throwable failure, boolean late) {
        if (answer != null && late) {
            request.answeredLate(sentAt, answer);
        } else if (answer != null) {
            request.answered(sentAt, answer);
        } else if (!late) {
            request.failed(RequestFailures.unwrap(failure));
        }
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

    @Override
    public boolean previousUnanswered() {
        return request.previousUnanswered();
    }
}
