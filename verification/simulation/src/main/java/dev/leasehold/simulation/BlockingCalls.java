package dev.leasehold.simulation;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of the library that wait for Redis, which a simulated thread must not do: the request of such a call is
 * sent, and the call fails at once if it is not answered at once.
 */
final class BlockingCalls implements LockStore.Forwarding {

    private final LockStore store;
    private final Machine machine;
    private final boolean reports;
    private boolean unawaited;

    /**
     * Creates the calls of a client.
     *
     * @param reports whether its connections learn, when the time of such a call is over, that the caller would have given up
     */
    BlockingCalls(LockStore store, Machine machine, boolean reports) {
        this.store = store;
        this.machine = machine;
        this.reports = reports;
    }

    /** Makes a call without waiting for its answer; null if it failed for that reason. */
    <T> @Nullable T call(Supplier<T> call) {
        unawaited = true;
        try {
            return call.get();
        } catch (LockUnavailableException expected) {
            // Its request is on its way.
            return null;
        } finally {
            unawaited = false;
        }
    }

    @Override
    public LockStore behind() {
        return store;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        CompletableFuture<A> answer = store.send(request);
        return unawaited && !answer.isDone() ? new Unawaited<>(answer, request.timeoutNanos()) : answer;
    }

    /** An answer whose caller's time is over at once; it is still delivered, as a late one. */
    private final class Unawaited<A> extends CompletableFuture<A> implements Doubtable {

        private final CompletableFuture<A> answer;
        private final long timeoutNanos;

        Unawaited(CompletableFuture<A> answer, long timeoutNanos) {
            this.answer = answer;
            this.timeoutNanos = timeoutNanos;
            CompletionStage<?> unused = answer.whenComplete((reply, failure) -> {
                if (failure == null) {
                    complete(reply);
                } else {
                    completeExceptionally(failure);
                }
            });
        }

        @Override
        public A get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
            if (!isDone()) {
                throw new TimeoutException("nobody waits for the answer");
            }
            return super.get(timeout, unit);
        }

        @Override
        public boolean doubt() {
            if (reports) {
                machine.schedule(() -> Doubtable.giveUp(answer), timeoutNanos);
            }
            return true;
        }
    }
}
