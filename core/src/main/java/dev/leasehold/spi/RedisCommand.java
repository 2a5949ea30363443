package dev.leasehold.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command that a {@link RedisConnection} sends. The connection calls exactly one of {@link #answered} and
 * {@link #failed}, once, on any thread; both return soon and do not throw.
 */
public interface RedisCommand {

    /**
     * Returns the name of the command and its arguments, to be sent in UTF-8.
     *
     * @return at least the name
     */
    List<String> words();

    /**
     * Returns whether nobody waits for the reply any more. A connection that has not written the command yet may drop it
     * then, and need not call anything.
     *
     * @return true if it may be dropped; false by default
     */
    default boolean isCancelled() {
        return false;
    }

    /**
     * Called just before the command is written to the socket: from now on it may be executed. A multiplexing connection
     * calls it if it can; without it, silent connections are not replaced before Redis or the network closes them.
     */
    default void written() {}

    /**
     * Called with the reply, in the order in which the commands of a connection were sent.
     *
     * @param reply String, Long, null, or a List of these; an error within a list as {@link RedisErrorException}
     */
    void answered(@Nullable Object reply);

    /**
     * Called if there is no reply.
     *
     * @param failure {@link RedisErrorException} if the reply is an error; {@link TransportException} if none arrived, which
     *     says whether the command may have been executed
     */
    void failed(RuntimeException failure);
}
