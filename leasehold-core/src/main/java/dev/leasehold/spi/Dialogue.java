package dev.leasehold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands of which the next depend on the replies to the last, as with {@code WATCH}. {@link RedisTransport#converse} sends
 * them; its methods are called by one thread after another, and never block.
 */
public interface Dialogue {

    /**
     * The key that all of its commands have, as far as they have one: it goes to the server of the key's slot.
     *
     * @return the key
     */
    String key();

    /**
     * For how long it may still last, waiting for a connection included.
     *
     * @return nanoseconds from now; not positive once it is too late to begin
     */
    long timeoutNanos();

    /**
     * What is to be sent next, in one flush. When nothing is, it has ended, and has left nothing behind on the connection: no
     * transaction and no watched keys.
     *
     * @param replies to the last flush, one for each command: String, Long, null, a List of these, or an error as
     *     {@link RedisErrorException}; none at the first call
     * @return commands with their arguments; empty at the end
     */
    List<List<String>> next(List<@Nullable Object> replies);
}
