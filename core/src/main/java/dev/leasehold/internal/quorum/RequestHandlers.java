package dev.leasehold.internal.quorum;

import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The requests that a quorum supports, each type with its own handler. All others are refused with the reason. Filled by one
 * thread, and used by any after that.
 */
final class RequestHandlers {

    private final Map<Class<?>, Function<Object, CompletableFuture<?>>> byRequest = new HashMap<>();

    /** Adds the handler of a type of requests. */
    <R extends StoreRequest<A>, A> RequestHandlers on(Class<R> type, Function<R, CompletableFuture<A>> handler) {
        byRequest.put(type, request -> handler.apply(type.cast(request)));
        return this;
    }

    /** Handles a request; the future fails with what the handler throws. */
    <A> CompletableFuture<A> handle(StoreRequest<A> request) {
        Function<Object, CompletableFuture<?>> handler = byRequest.get(request.getClass());
        if (handler == null) {
            return refuse("the request '" + request.inWords() + "'");
        }
        if (request instanceof LockRequest<?> lock && lock.key().kind() != LockKind.QUORUM) {
            return refuse("locks of the kind " + lock.key().kind());
        }
        try {
            return answerTo(request, handler);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The cast is safe because {@link #on} pairs a type of requests with a handler for the same answers. */
    @SuppressWarnings("unchecked")
    private static <A> CompletableFuture<A> answerTo(
            StoreRequest<A> request, Function<Object, CompletableFuture<?>> handler) {
        return (CompletableFuture<A>) handler.apply(request);
    }

    /** Returns a future that fails because the store does not support this. */
    <A> CompletableFuture<A> refuse(String feature) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("a quorum does not support " + feature));
    }

    /** Refuses this number of requests that would wait for replicas. */
    List<LockStore.Durable<?>> refuseDurable(int requests) {
        String feature = "requests that wait for replicas";
        return Collections.nCopies(requests, new LockStore.Durable<>(refuse(feature), refuse(feature)));
    }
}
