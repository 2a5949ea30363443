package dev.leasehold.internal.release;

import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.RequestRelease;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks the holder of a lock to release it. Sent once; a caller that gets no answer may repeat it, which changes nothing. */
final class ReleaseRequest implements Operation<Boolean> {

    private final RequestContext context;
    private final LockKey key;
    private boolean sent;
    private @Nullable Boolean held;
    private @Nullable RuntimeException failure;

    /**
     * Prepares the request.
     *
     * @throws UnsupportedOperationException if the key of the lock has no room for a request
     */
    ReleaseRequest(RequestContext context, LockKey key) {
        if (key.kind().isForeign() || key.kind() == LockKind.QUORUM) {
            throw ReleaseMessages.noRequests(key);
        }
        this.context = context;
        this.key = key;
    }

    @Override
    public Step next() {
        if (!sent && context.closed()) {
            abandon(Lifecycle.closedException());
        }
        if (sent || over()) {
            return Step.OVER;
        }
        sent = true;
        long timeout = context.commandNanos();
        return new Step.Send<>(new RequestRelease(key, timeout), context.now(), this::answered);
    }

    private void answered(RequestRelease.Answer answer) {
        switch (answer.code()) {
            case REQUESTED -> held = true;
            case FREE -> held = false;
            case FOREIGN -> failure = RefusalMessages.foreign(key, answer.detail());
        }
    }

    @Override
    public void failed(RuntimeException problem) {
        failure = Inspection.unavailable(key, problem);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (!over()) {
            failure = reason == null ? new IllegalStateException("given up") : reason;
        }
    }

    private boolean over() {
        return held != null || failure != null;
    }

    @Override
    public Boolean outcome() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(held, "no outcome");
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }
}
