package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script that replicas are to have. It is sent by its source, because by its digest it could be unknown.
 * WAIT counts the writes of its own connection: a call that the server sends elsewhere has another WAIT behind it there.
 */
public final class DurableEval extends EvalCommand {

    private final WaitCommand wait;
    private final Count replicas = new Count();
    private volatile @Nullable DurableEval onward;

    /**
     * Not sent yet.
     *
     * @param server the server of the call
     * @param wait what is sent behind it, after other calls perhaps
     */
    public DurableEval(ScriptCall call, Servers servers, Server server, WaitCommand wait) {
        super(call, servers, server, Way.DURABLE);
        this.wait = wait;
        count();
    }

    private DurableEval(ScriptCall call, Servers servers, Leg leg, long deadline, WaitCommand wait) {
        super(call, servers, leg, deadline);
        this.wait = wait;
        count();
    }

    private void count() {
        CompletionStage<?> unused = wait.whenComplete((count, failure) -> {
            // The reply to the call arrives before the reply to its WAIT.
            if (onward == null) {
                replicas.settle(count, failure);
            }
        });
    }

    /** Returns how many have the writes of this call. To cancel it is to doubt the connection that waits for them. */
    public CompletionStage<Long> replicas() {
        return replicas;
    }

    @Override
    EvalCommand again(ScriptCall call, Servers servers, Leg after, long deadline) {
        DurableEval second = new DurableEval(call, servers, after, deadline, wait.again());
        onward = second;
        CompletionStage<?> unused = second.replicas.whenComplete(replicas::settle);
        return second;
    }

    @Override
    void sendOver(CommandPath path, boolean asking, long left) {
        List<PendingCommand<?>> flush = new ArrayList<>();
        if (asking) {
            flush.add(askingFirst());
        }
        flush.add(this);
        flush.add(wait);
        path.send(flush, left);
    }

    /** The count that this call gets. */
    private final class Count extends CompletableFuture<Long> {

        void settle(@Nullable Long count, @Nullable Throwable failure) {
            if (failure == null) {
                complete(count);
            } else {
                completeExceptionally(failure);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            DurableEval second = onward;
            if (second == null) {
                wait.cancel(mayInterruptIfRunning);
            } else {
                second.replicas.cancel(mayInterruptIfRunning);
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
