package dev.leasehold.internal.redis.path;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Sends commands to one server for one purpose, over one connection or several, which are opened when they are needed and
 * again after they have broken. No command is sent twice, nor kept for a later connection. Safe for use by any thread.
 */
public interface CommandPath {

    /**
     * Sends a command as soon as a connection is open. If it finds none within the time, it fails as certainly not
     * executed.
     *
     * @param timeoutNanos the longest time that its caller waits
     */
    void send(PendingCommand<?> command, long timeoutNanos);

    /**
     * Sends commands in one flush, in the same way.
     *
     * @param timeoutNanos the longest time that the callers of these commands wait
     */
    void send(List<? extends PendingCommand<?>> commands, long timeoutNanos);

    /** Returns whether a connection is open. */
    boolean isConnected();

    /**
     * Opens a connection, if none has been opened.
     *
     * @return a stage that is complete when it is open, and fails if the attempt does
     */
    CompletionStage<?> open();

    /** Gives up connections that are open or being opened, even while in use: the next lead elsewhere. */
    void restart(String reason);

    /** Ends all connections and opens no other: what is in flight and what comes later fails. Does not block. */
    void close(String reason);
}
