package dev.leasehold.internal.combine;

import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request that waits until a call has returned, and at once the future of its answer. */
final class QueuedRequest<A> extends CompletableFuture<A> {

    private final LockRequest<A> request;
    private final long queuedAt;
    private final Runnable doubt;
    private volatile @Nullable Call call;

    /**
     * Not sent yet.
     *
     * @param doubt puts the calls under way in doubt
     */
    QueuedRequest(LockRequest<A> request, long queuedAt, Runnable doubt) {
        this.request = request;
        this.queuedAt = queuedAt;
        this.doubt = doubt;
    }

    LockRequest<A> request() {
        return request;
    }

    /** Returns how long its caller still waits, in ns. */
    long left(long now) {
        return queuedAt + request.timeoutNanos() - now;
    }

    /** It leaves with a call. */
    void leftWith(Call sent) {
        call = sent;
    }

    /** Its caller has given up by now, so it is not sent. */
    void expired() {
        completeExceptionally(new TransportException(
                "the time was over before the request was sent: earlier calls were not answered", false, null));
    }

    /** Takes an answer to a request of this type. */
    @SuppressWarnings("unchecked")
    void answered(StoreAnswer answer) {
        complete((A) answer);
    }

    /** Takes the outcome of a call of its own. */
    void settle(@Nullable A answer, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(answer);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            Call sent = call;
            if (sent != null) {
                sent.abandoned();
            } else {
                doubt.run();
            }
        }
        return cancelled;
    }
}
