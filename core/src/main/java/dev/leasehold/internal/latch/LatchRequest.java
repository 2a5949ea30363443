package dev.leasehold.internal.latch;

import dev.leasehold.LeaseholdException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request about a latch, repeated a few times within the command timeout if it fails at once. Repeats have the same id, so
 * that Redis executes the request once.
 */
final class LatchRequest<T> implements Operation<T> {

    private static final int MOST_STALE = 2;

    private final RequestContext context;
    private final LockKey key;
    private final Request request;
    private final Function<List<String>, Optional<T>> reading;
    private final long deadline;
    private long pauseUntil;
    private long sentAt;
    private int tries;
    private int stale;
    private boolean maybeDone;
    private @Nullable RuntimeException problem;
    private @Nullable T result;
    private boolean over;

    /** Creates the call, which Redis executes until that time of its clock and not later. */
    interface Request {
        ScriptCall call(ServerTime notAfter, long timeoutNanos);
    }

    /**
     * Prepares the request.
     *
     * @param reading turns the reply into the outcome or throws; empty if the request arrived too late and is repeated
     */
    LatchRequest(RequestContext context, LockKey key, Request request, Function<List<String>, Optional<T>> reading) {
        this.context = context;
        this.key = key;
        this.request = request;
        this.reading = reading;
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
            return new Step.Over();
        }
        if (pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        tries++;
        sentAt = now;
        long timeout = deadline - now;
        return new Step.Send(request.call(context.serverTimeAt(now + timeout), timeout), now, true);
    }

    @Override
    public void answered(List<String> reply) {
        Optional<T> answer;
        try {
            context.seen(new ServerTime(Long.parseLong(reply.get(1))), sentAt);
            answer = reading.apply(reply);
        } catch (LeaseholdException e) {
            fail(e);
            return;
        } catch (RuntimeException e) {
            failed(RequestFailures.unreadable(e));
            return;
        }
        if (answer.isPresent()) {
            result = answer.get();
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
