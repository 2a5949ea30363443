package dev.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * An exception of Leasehold's own, with the lock that it concerns. {@link LeaseholdException} and {@link LeaseLostException} implement it;
 * the latter is no {@code LeaseholdException}, because {@link java.util.concurrent.locks.Lock#unlock} demands an {@link
 * IllegalMonitorStateException}. To catch all of them:
 *
 * <pre>{@code
 * try {
 *     lock.run(Duration.ofSeconds(5), lease -> sell(lease));
 * } catch (LeaseholdException | LeaseLostException e) {
 *     report(e.lockName(), e);
 * }
 * }</pre>
 *
 * <p>A mistake of the caller is none of them: {@link IllegalArgumentException} and {@link UnsupportedOperationException} reject what was
 * asked, and {@link IllegalStateException} says that the client is closed, or that the caller would wait for itself.
 */
public interface LockFailure {

    /**
     * Returns the lock that the failure concerns.
     *
     * @return its name, or an empty string if the failure concerns no single lock
     */
    String lockName();

    /**
     * Returns what happened and what the reader can do next.
     *
     * @return the message of the exception
     */
    String getMessage();

    /**
     * Returns the cause of the exception.
     *
     * @return the cause, or null
     */
    @Nullable
    Throwable getCause();
}
