package dev.leasehold.internal.redis;

import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisErrorException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command and, at once, the stage that its caller gets: no second future stands between the connection and the caller.
 * When its caller gives up, it lets the connection be suspected.
 */
abstract class PendingCommand<T extends @Nullable Object> extends CompletableFuture<T> implements RedisCommand {

    private final List<String> words;
    private volatile @Nullable Runnable suspicion;

    PendingCommand(List<String> words) {
        this.words = words;
    }

    @Override
    public final List<String> words() {
        return words;
    }

    /** Called just before it is sent, with what to run if its caller stops waiting. */
    final void sent(Runnable onGivenUp) {
        suspicion = onGivenUp;
    }

    /** Returns what the caller gets for a reply. */
    abstract T decode(@Nullable Object reply);

    @Override
    public void answered(@Nullable Object reply) {
        complete(decode(reply));
    }

    @Override
    public void failed(RuntimeException failure) {
        if (failure instanceof RedisErrorException refusal) {
            refused(refusal);
        } else {
            completeExceptionally(failure);
        }
    }

    /** Redis answered with an error. */
    void refused(RedisErrorException refusal) {
        completeExceptionally(refusal);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Runnable suspects = suspicion;
        if (cancelled && suspects != null) {
            suspects.run();
        }
        return cancelled;
    }
}
