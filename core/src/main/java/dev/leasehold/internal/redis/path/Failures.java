package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds the two exceptions of the port in what stages fail with. */
public final class Failures {

    private static final Set<String> FORMER_PRIMARY = Set.of("READONLY", "MASTERDOWN");

    private Failures() {}

    /** Returns the exception of the port; anything else means that no answer came. */
    public static RuntimeException of(Throwable failure, boolean maybeExecuted, String address) {
        Throwable reason = unwrap(failure);
        if (reason instanceof CancellationException && reason.getMessage() == null) {
            // A command is cancelled when its time limit is over.
            return new TransportException("no answer from Redis at " + address + " in time", maybeExecuted, reason);
        }
        return reason instanceof TransportException || reason instanceof RedisErrorException
                ? (RuntimeException) reason
                : TransportException.noAnswer(address, maybeExecuted, reason);
    }

    /** Returns whether Redis refuses a command to this user for good; any other refusal may pass. */
    public static boolean isMissingRight(Throwable failure) {
        return failure instanceof RedisErrorException error && error.refusesUser();
    }

    /** Returns whether a server takes no writes: it was the primary once, and its name may lead to another server by now. */
    public static boolean isFormerPrimary(@Nullable Object failure) {
        return failure instanceof RedisErrorException error && FORMER_PRIMARY.contains(error.code());
    }

    /** The same answer, failing with the very exception that a chain of stages has put into another. */
    public static <T extends @Nullable Object> CompletionStage<T> bare(CompletionStage<T> chain) {
        CompletableFuture<T> bare = new CompletableFuture<>();
        CompletionStage<T> unused = chain.whenComplete((answer, failure) -> {
            if (failure == null) {
                bare.complete(answer);
            } else {
                bare.completeExceptionally(unwrap(failure));
            }
        });
        return bare;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable inner = failure;
        Throwable cause = inner.getCause();
        while (cause != null && (inner instanceof CompletionException || inner instanceof ExecutionException)) {
            inner = cause;
            cause = inner.getCause();
        }
        return inner;
    }
}
