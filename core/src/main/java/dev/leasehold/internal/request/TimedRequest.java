package dev.leasehold.internal.request;

import dev.leasehold.LeaseholdException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request that Redis executes within the command timeout or never, so that a copy that arrives late changes nothing. If Redis
 * refuses it as late, it is repeated with the time that the answer showed; and so it is for the rest if Redis executed it in part. After
 * a failure it is repeated a few times if its repeats have the same id, by which Redis executes it once; otherwise it fails.
 */
public final class TimedRequest<A extends StoreAnswer, T> implements Operation<T> {

    private static final int MOST_STALE = 2;

    private final RequestContext context;
    private final LockKey key;
    private final boolean once;
    private final Sending<A> sending;
    private final Function<A, Optional<T>> meaning;
    private final Unavailable unavailable;
    private final long deadline;
    private long pauseUntil;
    private int tries;
    private int stale;
    private boolean maybeDone;
    private @Nullable RuntimeException problem;
    private @Nullable T result;
    private boolean over;

    /** Creates the request, which Redis executes until that time of its clock and not later. */
    @FunctionalInterface
    public interface Sending<A> {
        LockRequest<A> request(ServerTime notAfter, long timeoutNanos);
    }

    /** Creates the exception for a request without an answer, or that Redis refused. */
    @FunctionalInterface
    public interface Unavailable {
        RuntimeException exception(boolean maybeExecuted, @Nullable RuntimeException problem);
    }

    /**
     * Prepares the request.
     *
     * @param key whose server executes it
     * @param once whether Redis recognises a repeat, and executes the request once
     * @param meaning turns the answer into the outcome or throws; empty if the request arrived too late or was executed in part,
     *     and is repeated
     */
    public TimedRequest(
            RequestContext context,
            LockKey key,
            boolean once,
            Sending<A> sending,
            Function<A, Optional<T>> meaning,
            Unavailable unavailable) {
        this.context = context;
        this.key = key;
        this.once = once;
        this.sending = sending;
        this.meaning = meaning;
        this.unavailable = unavailable;
        this.pauseUntil = context.now();
        this.deadline = pauseUntil + context.commandNanos();
    }

    @Override
    public Step next() {
        long now = context.now();
        if (!over && context.closed()) {
            fail(Lifecycle.closedException());
        }
        if (!over && (tries > 0 || maybeDone) && (tries == Retry.TRIES || deadline - now <= 0)) {
            fail(unavailable.exception(maybeDone, problem));
        }
        if (over) {
            return Step.OVER;
        }
        if (pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        tries++;
        long timeout = deadline - now;
        return new Step.Send<>(sending.request(context.serverTimeAt(key, deadline), timeout), now, this::answered);
    }

    private void answered(A answer) {
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
        } else if (answer.partial()) {
            maybeDone = true;
            tries = 0;
        } else if (++stale > MOST_STALE) {
            failed(new TransportException("requests arrive later than they may", false, null));
        }
        // Otherwise the clock of Redis stepped, or the request was late: the answer carried the true time for the next
        // try.
    }

    @Override
    public void failed(RuntimeException failure) {
        maybeDone |= context.maybeExecuted(failure);
        boolean refused = failure instanceof RedisErrorException error
                && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY;
        if (refused || !once) {
            fail(unavailable.exception(maybeDone, failure));
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
