package dev.leasehold.internal.request;

import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something a caller asks of Redis, as a state machine that never waits. A driver asks for the {@linkplain #next next
 * step}, does it, and reports; it waits on the caller's thread or on none. Used by one driver at a time.
 */
public interface Operation<T> {

    /** What to do next; {@link Step.Over} from then on when it has ended. */
    Step next();

    /** Hands over what ends a pause before its time; called once, before anything else. */
    default void wakeBy(Runnable wake) {}

    /** Redis answered the last request. */
    void answered(List<String> reply);

    /** The last request failed, or got no answer in time. */
    void failed(RuntimeException failure);

    /** Redis answered a request for which the driver does not wait any more; on any thread. */
    default void answeredLate(ScriptCall call, List<String> reply) {}

    /**
     * The driver stops, whatever is in flight: an interrupt, a cancellation, the end of the client, a bug. Nothing is left
     * behind that nobody cares for.
     *
     * @param reason what the caller is told if he is still there, or null
     */
    void abandon(@Nullable RuntimeException reason);

    /** How it ended: returned, or thrown. */
    T outcome();

    /** Whether closing the client ends it; what gives back goes on. */
    boolean endsWithClient();
}
