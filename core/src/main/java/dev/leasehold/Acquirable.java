package dev.leasehold;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object that a caller acquires on a lease: a {@linkplain DistributedLock lock}, {@linkplain MultiLock several locks
 * together}, or {@linkplain DistributedSemaphore permits}. It is <em>busy</em> while other callers hold the lock, one
 * of the locks, or too many of the permits.
 *
 * <p><strong>When Redis does not answer</strong>, a timed method ends at its time limit. A method without a time limit
 * throws {@link LockUnavailableException} when Redis has not answered for the client's outage tolerance (10 s by
 * default). If the outcome of an acquisition is unknown, the client undoes it in the background.
 *
 * <p>Every method throws {@link IllegalStateException} once the client is closed, {@link LockUnavailableException} if
 * Redis does not answer or refuses the request, and {@link ForeignKeyException} if the key of a lock holds something
 * else. Safe for use by any thread; but the methods that wait throw {@link IllegalStateException} on an {@linkplain
 * dev.leasehold.spi.EventLoops event loop}, which must not block, and send nothing.
 *
 * @param <L> the type of lease
 */
public interface Acquirable<L extends Lease> {

    /**
     * Acquires the lease, and waits without a time limit.
     *
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if the wait strategy's number of tries is used up
     * @throws LockUnavailableException see above
     */
    L acquire() throws InterruptedException;

    /**
     * Acquires the lease within the given time.
     *
     * @param wait the longest time to wait in total; zero tries once. Even when Redis is down, the call exceeds it by
     *     at most 5 ms, the minimum time for the first request
     * @return the lease, held
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockNotAcquiredException if it was busy until the time limit
     * @throws LockUnavailableException if Redis was not answering at the time limit
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    L acquire(Duration wait) throws InterruptedException;

    /**
     * Tries once. Takes one round trip, or two if other callers use the lock, and as many for each lock if no single call
     * can take several locks. Takes at most the command timeout, and with {@linkplain LockOptions.Builder#durability
     * replicas or disks} at most the time that they have longer.
     *
     * @return the lease, or empty if it is busy
     * @throws LockUnavailableException if Redis did not answer within that time
     */
    Optional<L> tryAcquire();

    /**
     * Tries to acquire the lease within the given time.
     *
     * @param wait the longest time to wait in total; zero tries once
     * @return the lease, or empty if it was busy until the time limit
     * @throws InterruptedException if the thread is interrupted before or while it waits; nothing stays held
     * @throws LockUnavailableException if Redis was not answering at the time limit
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    Optional<L> tryAcquire(Duration wait) throws InterruptedException;

    /**
     * The asynchronous form of {@link #acquire()}. Cancelling the stage's future undoes the acquisition. Dependent
     * stages run on the client's event executor. It blocks no thread, so a thread that has the lock by {@code lock()} is not
     * refused: the stage completes after its {@code unlock()}.
     *
     * @return a stage with the lease, or with the exception that {@code acquire} throws
     */
    CompletionStage<L> acquireAsync();

    /**
     * The asynchronous form of {@link #acquire(Duration)}.
     *
     * @param wait the longest time to wait in total
     * @return a stage with the lease, or with the exception that {@code acquire} throws
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    CompletionStage<L> acquireAsync(Duration wait);

    /**
     * The asynchronous form of {@link #tryAcquire()}.
     *
     * @return a stage with the lease, or with an empty optional if it is busy
     */
    CompletionStage<Optional<L>> tryAcquireAsync();

    /**
     * The asynchronous form of {@link #tryAcquire(Duration)}.
     *
     * @param wait the longest time to wait in total
     * @return a stage with the lease, or with an empty optional if it was busy until the time limit
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    CompletionStage<Optional<L>> tryAcquireAsync(Duration wait);

    /**
     * Acquires the lease within the given time, runs a task and closes the lease, whatever happens. If the task fails, its exception is
     * thrown, and that of {@link Lease#close} is suppressed in it.
     *
     * <pre>{@code
     * lottery.run(Duration.ofSeconds(5), lease -> draw(lease.fencingToken()));
     * }</pre>
     *
     * @param wait the longest time to wait in total; zero tries once
     * @param task runs on the calling thread while the lease is held
     * @param <X> what the task throws; {@link RuntimeException} if it declares nothing
     * @throws X what the task throws
     * @throws InterruptedException if the thread is interrupted before or while it waits; the task does not run
     * @throws LeaseLostException if the task has ended normally, but its lease was lost
     * @throws LockNotAcquiredException as {@link #acquire(Duration)}; the task does not run
     * @throws LockUnavailableException as {@link #acquire(Duration)}; the task does not run
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    default <X extends Exception> void run(Duration wait, Task<? super L, X> task) throws InterruptedException, X {
        Objects.requireNonNull(task, "task");
        try (L lease = acquire(wait)) {
            task.run(lease);
        }
    }

    /**
     * Like {@link #run}, but returns the result of the task.
     *
     * @param wait the longest time to wait in total; zero tries once
     * @param task runs on the calling thread while the lease is held
     * @return what the task returns
     * @param <T> the type of the result
     * @param <X> what the task throws; {@link RuntimeException} if it declares nothing
     * @throws X what the task throws
     * @throws InterruptedException if the thread is interrupted before or while it waits; the task does not run
     * @throws LeaseLostException if the task has ended normally, but its lease was lost
     */
    default <T extends @Nullable Object, X extends Exception> T call(Duration wait, Call<? super L, T, X> task)
            throws InterruptedException, X {
        Objects.requireNonNull(task, "task");
        try (L lease = acquire(wait)) {
            return task.call(lease);
        }
    }

    /**
     * The asynchronous form of {@link #call}: acquires the lease within the given time, starts the task, and releases the lease when the
     * stage that the task returns has completed, whatever happens. Cancelling or completing the future of the returned stage undoes an
     * acquisition that still waits; it does not end a task that has begun. A lease that the task {@linkplain Lease#export() exported} is
     * released like any other.
     *
     * @param wait the longest time to wait in total; zero tries once
     * @param task begins work that ends with the stage that it returns; runs on the client's event executor, or on the calling thread
     *     if the lease is there at once
     * @return a stage with the result of the task. It fails with the exception of the task, to which a loss of the lease is
     *     added as suppressed; with {@link LeaseLostException} if the task has ended normally, but its lease was lost; with {@link
     *     NullPointerException} if the task returned no stage; or as that of {@link #acquireAsync(Duration)}
     * @param <T> the type of the result
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    default <T extends @Nullable Object> CompletionStage<T> callAsync(
            Duration wait, Function<? super L, ? extends CompletionStage<T>> task) {
        Objects.requireNonNull(task, "task");
        return called(acquireAsync(wait), task);
    }

    private static <L extends Lease, T extends @Nullable Object> CompletionStage<T> called(
            CompletionStage<L> acquiring, Function<? super L, ? extends CompletionStage<T>> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        CompletionStage<?> unused = acquiring.whenComplete((lease, failure) -> {
            if (failure != null) {
                result.completeExceptionally(unwrapped(failure));
            } else {
                CompletionStage<?> unusedToo =
                        begun(task, lease).whenComplete((value, problem) -> release(lease, value, problem, result));
            }
        });
        // A caller that ends the result while the acquisition waits wants no lease any more.
        CompletionStage<?> unusedThree = result.whenComplete(
                (value, failure) -> acquiring.toCompletableFuture().cancel(false));
        return result;
    }

    private static <L extends Lease, T extends @Nullable Object> CompletionStage<T> begun(
            Function<? super L, ? extends CompletionStage<T>> task, L lease) {
        try {
            return Objects.requireNonNull(task.apply(lease), "the stage that the task returns");
        } catch (Throwable e) {
            // Also a checked exception, which a function of another language may throw.
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <T extends @Nullable Object> void release(
            Lease lease, T value, @Nullable Throwable problem, CompletableFuture<T> result) {
        CompletionStage<?> unused = lease.releaseAsync().whenComplete((released, loss) -> {
            Throwable own = problem == null ? null : unwrapped(problem);
            if (own != null && loss != null) {
                own.addSuppressed(unwrapped(loss));
            }
            if (own == null && loss == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(own != null ? own : unwrapped(loss));
            }
        });
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /**
     * A task that runs under a lease.
     *
     * @param <L> the type of lease
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface Task<L, X extends Exception> {

        /**
         * Runs while the lease is held.
         *
         * @param lease the lease, which is closed afterwards
         * @throws X if it fails
         */
        void run(L lease) throws X;
    }

    /**
     * A task with a result that runs under a lease.
     *
     * @param <L> the type of lease
     * @param <T> the type of the result
     * @param <X> what it throws
     */
    @FunctionalInterface
    interface Call<L, T extends @Nullable Object, X extends Exception> {

        /**
         * Runs while the lease is held.
         *
         * @param lease the lease, which is closed afterwards
         * @return the result
         * @throws X if it fails
         */
        T call(L lease) throws X;
    }
}
