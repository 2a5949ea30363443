package dev.leasehold.console.internal.observe;

import dev.leasehold.LeaseholdException;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The last answer to one question to Redis, which is asked again and again while somebody watches. Safe for use by several threads.
 *
 * @param <T> the answer, unmodifiable
 */
public final class Reading<T> extends PolledObservation {

    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Supplier<T> question;
    private final UnaryOperator<Duration> interval;
    private volatile Result<T> result;

    /**
     * The last answer.
     *
     * @param value the last answer that there was
     * @param problem why there is no newer one; empty if there is one
     * @param nanos when it was given, by the monotonic clock
     * @param wallMillis the same by the wall clock; 0 if there never was one
     * @param intervalMillis the time between two questions
     * @param supported whether this Redis can answer the question
     */
    public record Result<T>(
            T value, String problem, long nanos, long wallMillis, long intervalMillis, boolean supported) {

        Result<T> failed(RuntimeException e) {
            boolean possible = !(e instanceof UnsupportedOperationException);
            return new Result<>(value, String.valueOf(e.getMessage()), nanos, wallMillis, intervalMillis, possible);
        }
    }

    /**
     * Creates a reading; nothing is sent.
     *
     * @param name the name of its thread
     * @param before what to show before the first answer
     * @param interval the time from the start of one question to that of the next, by how long the answer took
     */
    public Reading(String name, Supplier<T> question, T before, UnaryOperator<Duration> interval, TimeSource time) {
        super(name, time);
        this.question = question;
        this.interval = interval;
        result = new Result<>(before, "", 0, 0, RETRY.toMillis(), true);
    }

    @Override
    Duration refresh() {
        long start = time.nanoTime();
        try {
            T value = question.get();
            long now = time.nanoTime();
            Duration took = Duration.ofNanos(now - start);
            Duration next = interval.apply(took);
            result = new Result<>(value, "", now, time.wallMillis(), next.toMillis(), true);
            return next.minus(took);
        } catch (LeaseholdException | UnsupportedOperationException | IllegalStateException e) {
            // The last: the application has closed its client.
            result = result.failed(e);
            return RETRY;
        }
    }

    /** Returns the last answer. */
    public Result<T> result() {
        return result;
    }
}
