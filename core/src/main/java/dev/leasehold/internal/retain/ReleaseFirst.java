package dev.leasehold.internal.retain;

import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.ReleaseHold;
import org.jspecify.annotations.Nullable;

/**
 * Releases a retained hold that an acquisition cannot take over, and then runs the acquisition: otherwise it would find the lock
 * held by its own client. Without an answer, the release continues in the background.
 */
final class ReleaseFirst<T> implements Operation<T> {

    /** A shorter timeout would cut off the answer of a healthy Redis. */
    static final long LEAST_NANOS = 5_000_000;

    private final RequestContext context;
    private final RetainedHolds holds;
    private final RetainedHold hold;
    private final long timeoutNanos;
    private final Operation<T> then;
    private boolean sent;
    private boolean over;

    ReleaseFirst(RequestContext context, RetainedHolds holds, RetainedHold hold, long timeoutNanos, Operation<T> then) {
        this.context = context;
        this.holds = holds;
        this.hold = hold;
        this.timeoutNanos = timeoutNanos;
        this.then = then;
    }

    @Override
    public void wakeBy(Runnable wake) {
        then.wakeBy(wake);
    }

    @Override
    public Step next() {
        if (sent) {
            return then.next();
        }
        sent = true;
        context.unanswered().add(this);
        holds.remove(hold);
        ReleaseHold request = RetainedRelease.request(hold, timeoutNanos);
        return new Step.Send<>(request, context.now(), released -> end());
    }

    private void end() {
        over = true;
        context.unanswered().remove(this);
    }

    @Override
    public void failed(RuntimeException failure) {
        if (over) {
            then.failed(failure);
        } else {
            releaseInBackground();
        }
    }

    private void releaseInBackground() {
        holds.release(hold);
        end();
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (!over) {
            releaseInBackground();
        }
        then.abandon(reason);
    }

    @Override
    public T outcome() {
        return then.outcome();
    }

    @Override
    public boolean endsWithClient() {
        return then.endsWithClient();
    }
}
