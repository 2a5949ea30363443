package dev.leasehold.internal.redis.path;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisErrorException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command and, at once, the stage that its caller gets: no second future stands between the connection and the caller.
 * When its caller gives up, the connection over which it was sent is suspected.
 */
public abstract class PendingCommand<T extends @Nullable Object> extends CompletableFuture<T>
        implements RedisCommand, Doubtable {

    private final List<String> words;
    private volatile @Nullable Carrier carrier;
    private volatile boolean written;
    private long arrivalsBefore;
    private long sentAt;

    protected PendingCommand(List<String> words) {
        this.words = words;
    }

    /** A connection that several callers share, so that one which gives up knows more about it than the others. */
    public interface Carrier {

        /** A reply to this command has arrived. */
        void answered(PendingCommand<?> command);

        /** No reply arrived for this command, and its caller waits no longer. */
        void unanswered(PendingCommand<?> command);
    }

    @Override
    public final List<String> words() {
        return words;
    }

    /**
     * Called by a shared connection just before it sends the command.
     *
     * @param arrivals how many replies had arrived over it
     * @param now the time in ns
     */
    public final void sentOver(Carrier connection, long arrivals, long now) {
        arrivalsBefore = arrivals;
        sentAt = now;
        carrier = connection;
    }

    /** Returns how many replies had arrived over the connection when it was sent. */
    public final long arrivalsBefore() {
        return arrivalsBefore;
    }

    /** Returns when it was sent, in ns. */
    public final long sentAt() {
        return sentAt;
    }

    @Override
    public final void written() {
        written = true;
    }

    /** Returns whether it was written to the socket; until then it cannot have been executed. */
    public final boolean isWritten() {
        return written;
    }

    /** Completes this with what the caller gets for a reply, or fails it if the reply makes no sense. */
    protected abstract void replied(@Nullable Object reply);

    @Override
    public final void answered(@Nullable Object reply) {
        Carrier over = carrier;
        if (over != null) {
            over.answered(this);
        }
        replied(reply);
    }

    @Override
    public final void failed(RuntimeException failure) {
        Carrier over = carrier;
        if (failure instanceof RedisErrorException refusal) {
            if (over != null) {
                over.answered(this);
            }
            refused(refusal);
            return;
        }
        if (over != null) {
            over.unanswered(this);
        }
        completeExceptionally(failure);
    }

    /** Redis answered with an error. */
    protected void refused(RedisErrorException refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public boolean doubt() {
        Carrier over = carrier;
        if (over != null && !isDone()) {
            over.unanswered(this);
        }
        return over != null;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Carrier over = carrier;
        if (cancelled && over != null) {
            over.unanswered(this);
        }
        return cancelled;
    }
}
