package dev.leasehold.internal.latch;

import dev.leasehold.LeaseholdException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request about a latch, repeated a few times within the command timeout if it fails at once. Repeats have the same id, so
 * that Redis executes the request once.
 */
final class LatchRequest<A extends StoreAnswer, T> implements Operation<T> {

    private static final int MOST_STALE = 2;

    private final RequestContext context;
    private final LockKey key;
    private final Sending<A> sending;
    private final Function<A, Optional<T>> meaning;
    private final long deadline;
    private long pauseUntil;
    private long sentAt;
    private int tries;
    private int stale;
    private boolean maybeDone;
    private @Nullable RuntimeException problem;
    private @Nullable T result;
    private boolean over;

    /** Creates the request, which Redis executes until that time of its clock and not later. */
    interface Sending<A> {
        LockRequest<A> request(ServerTime notAfter, long timeoutNanos);
    }

    /**
     * Prepares the request.
     *
     * @param meaning turns the answer into the outcome or throws; empty if the request arrived too late and is repeated
     */
    LatchRequest(RequestContext context, LockKey key, Sending<A> sending, Function<A, Optional<T>> meaning) {
        this.context = context;
        this.key = key;
        this.sending = sending;
        this.meaning = meaning;
        this.pauseUntil = context.now();
        this.deadline = pauseUntil + context.commandNanos();
    }

    @Override
    public Step next() {
        long now = context.now();
        if (!over && context.closed()) {
            fail(Lifecycle.closedException());
        }
        if (!over && tries > 0 && (tries == Retry.TRIES || deadline - now <= 0)) {
            fail(LatchMessages.unavailable(key, maybeDone, problem));
        }
        if (over) {
            return Step.OVER;
        }
        if (pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        tries++;
        sentAt = now;
        long timeout = deadline - now;
        return new Step.Send<>(sending.request(context.serverTimeAt(now + timeout), timeout), now, this::answered);
    }

    private void answered(A answer) {
        context.seen(answer.now(), sentAt);
        Optional<T> outcome;
        try {
            outcome = meaning.apply(answer);
        } catch (LeaseholdException e) {
            fail(e);
            return;
        }
        if (outcome.isPresent()) {
            result = outcome.get();
            over = true;
        } else if (++stale > MOST_STALE) {
            failed(new TransportException("requests arrive later than they may", false, null));
        }
        // Otherwise the clock of Redis stepped, or the request was late: the answer carried the true time for the next
        // try.
    }

    @Override
    public void failed(RuntimeException failure) {
        maybeDone |= context.maybeExecuted(failure);
        if (failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY) {
            fail(LatchMessages.unavailable(key, maybeDone, failure));
            return;
        }
        problem = failure;
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    private void fail(RuntimeException failure) {
        problem = failure;
        over = true;
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (!over) {
            fail(reason == null ? new IllegalStateException("given up") : reason);
        }
    }

    @Override
    public T outcome() {
        T value = result;
        if (value != null) {
            return value;
        }
        throw problem != null ? problem : new IllegalStateException("no outcome");
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }
}
