package dev.leasehold.internal.redis.path;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits on threads that may block. An interrupt does not end the wait; the interrupt status is kept. */
public final class UninterruptibleWait {

    private UninterruptibleWait() {}

    /**
     * Waits for a stage, which is often complete already.
     *
     * @throws ExecutionException if it has failed
     * @throws TimeoutException if it is not complete in time
     */
    public static <T> T await(CompletableFuture<T> stage, TimeSource time, long timeoutNanos)
            throws ExecutionException, TimeoutException {
        long deadline = time.nanoTime() + timeoutNanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return stage.get(deadline - time.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
