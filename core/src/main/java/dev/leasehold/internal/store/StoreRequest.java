package dev.leasehold.internal.store;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * A request to the servers that keep locks. Immutable; the names of its fields and answers are those of the protocol, which
 * {@code docs/protocol.md} describes.
 *
 * @param <A> the type of its answer
 */
public interface StoreRequest<A> {

    /** How long the sender waits for the answer, in ns. */
    long timeoutNanos();

    /** Returns the purpose of the request, for the message of a store that does not support it: "acquire hold". */
    default String inWords() {
        return getClass().getSimpleName().replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /** Returns the future that a store returned for this request, which has the type of its answer. */
    @SuppressWarnings("unchecked")
    default CompletableFuture<A> typed(CompletableFuture<?> answer) {
        return (CompletableFuture<A>) answer;
    }

    /** Returns whether a person asks, so that a long answer must hold up no lock. */
    default boolean inspects() {
        return false;
    }

    /** Returns whether this answer grants or extends a hold, so that replicas may have to acknowledge it. */
    default boolean grants(A answer) {
        return false;
    }
}
