package dev.leasehold.internal.renew;

import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The renewal of a lease that replicas must acknowledge: the lease is extended only if enough of them have the new end, too. A
 * confirmation is sent like that of any other lease, because it extends nothing.
 */
final class ReplicatedRenewal implements BatchSender.Request {

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
    public @Nullable ScriptCall prepare(long now) {
        ScriptCall call = request.prepare(now);
        if (call == null || request.span().equals(LeaseSpan.CONFIRM)) {
            return call;
        }
        // The timeout includes the wait for the group before this one.
        long sentAt = context.now();
        AtomicBoolean done = new AtomicBoolean();
        Timer.Timeout timeout = context.timer()
                .schedule(
                        () -> {
                            if (done.compareAndSet(false, true)) {
                                sender.handle(() -> request.failed(RequestFailures.timedOut(call.timeoutNanos())));
                            }
                        },
                        call.timeoutNanos());
        CompletionStage<?> unused = replicated
                .send(call, request.durability(), true)
                .whenComplete((reply, failure) -> {
                    boolean late = !done.compareAndSet(false, true);
                    timeout.cancel();
                    sender.handle(() -> settle(sentAt, reply, failure, late));
                });
        return null;
    }

    private void settle(long sentAt, @Nullable List<String> reply, @Nullable Throwable failure, boolean late) {
        if (reply != null && late) {
            request.answeredLate(sentAt, reply);
        } else if (reply != null) {
            request.answered(sentAt, reply);
        } else if (!late) {
            request.failed(RequestFailures.unwrap(failure));
        }
    }

    @Override
    public void answered(long sentAt, List<String> reply) {
        request.answered(sentAt, reply);
    }

    @Override
    public void answeredLate(long sentAt, List<String> reply) {
        request.answeredLate(sentAt, reply);
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
