package dev.leasehold.springdata;

import dev.leasehold.spi.TimeSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits for what Lettuce answers later. */
final class AnswerWait {

    private AnswerWait() {}

    /** An interrupt does not end the wait and is kept. */
    static <T extends @Nullable Object> T untilAnswered(Future<T> future, long nanos)
            throws ExecutionException, TimeoutException {
        boolean interrupted = false;
        TimeSource time = TimeSource.system();
        long until = time.nanoTime() + nanos;
        try {
            while (true) {
                try {
                    return future.get(Math.max(0, until - time.nanoTime()), TimeUnit.NANOSECONDS);
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
