package dev.leasehold.internal.store;

import dev.leasehold.internal.concurrent.Doubtable;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The future of an answer that is read from the result of another stage. Its cancellation cancels that stage, too, so that a
 * transport suspects a connection that has been silent since.
 */
public final class AnswerFuture<R, A> extends CompletableFuture<A>
        implements Doubtable, BiConsumer<R, @Nullable Throwable> {

    private final CompletionStage<R> source;
    private final Function<R, A> reading;

    private AnswerFuture(CompletionStage<R> source, Function<R, A> reading) {
        this.source = source;
        this.reading = reading;
    }

    /**
     * Returns the future of an answer.
     *
     * @param source the stage whose result contains the answer
     * @param reading reads the answer. An exception of Redis or of the transport that it throws is the failure of the future;
     *     any other means that the answer could not be read
     */
    public static <R, A> CompletableFuture<A> of(CompletionStage<R> source, Function<R, A> reading) {
        AnswerFuture<R, A> answer = new AnswerFuture<>(source, reading);
        CompletionStage<?> unused = source.whenComplete(answer);
        return answer;
    }

    /** The other stage has ended. */
    @Override
    public void accept(R result, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(failure);
            return;
        }
        try {
            complete(reading.apply(result));
        } catch (RedisErrorException | TransportException e) {
            completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            completeExceptionally(unreadable(e));
        }
    }

    /** Returns the failure of a request whose answer could not be read; like no answer, it leaves the outcome unknown. */
    public static TransportException unreadable(Throwable problem) {
        Unreadable unreadable = new Unreadable(problem);
        return new TransportException(String.valueOf(unreadable.getMessage()), true, unreadable);
    }

    /** Returns whether a request failed because its answer could not be read. */
    public static boolean isUnreadable(Throwable failure) {
        return failure.getCause() instanceof Unreadable;
    }

    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Messages of the JDK have words of the answer, and a server may repeat what it was sent: so the problem is not the cause. */
        Unreadable(Throwable problem) {
            super("the answer could not be parsed: "
                    + (problem instanceof IllegalStateException
                            ? problem.getMessage()
                            : problem.getClass().getSimpleName()));
            setStackTrace(problem.getStackTrace());
        }
    }

    @Override
    public boolean doubt() {
        return source instanceof Doubtable doubtable && doubtable.doubt();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        source.toCompletableFuture().cancel(mayInterruptIfRunning);
        return cancelled;
    }
}
