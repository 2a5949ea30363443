package dev.leasehold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A series of commands, each depending on the replies to those before, as with {@code WATCH}.
 * {@link RedisTransport#converse} sends them. It calls these methods from one thread after another; they never block.
 */
public interface Dialogue {

    /**
     * Returns the key of all commands that have a key: they are sent to the server of its slot.
     *
     * @return the key
     */
    String key();

    /**
     * Returns how long the dialogue may still take, including the wait for a connection.
     *
     * @return nanoseconds from now; not positive once it is too late to begin
     */
    long timeoutNanos();

    /**
     * Returns the commands to send next, in one flush. An empty list ends the dialogue; by then it has left no
     * transaction and no watched keys on the connection.
     *
     * @param replies to the last flush, one for each command: String, Long, null, a List of these, or an error as
     *     {@link RedisErrorException}; none at the first call
     * @return the commands with their arguments; empty at the end
     */
    List<List<String>> next(List<@Nullable Object> replies);
}
