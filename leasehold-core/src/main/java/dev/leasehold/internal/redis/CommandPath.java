package dev.leasehold.internal.redis;

import java.util.List;

/**
 * Sends commands to one server for one purpose, over one connection or several, which are opened when they are needed and
 * again after they have broken. No command is sent twice, nor kept for a later connection. Safe for use by any thread.
 */
interface CommandPath {

    /**
     * Sends commands in one flush, or as soon as a connection is open. Commands that find none within the time fail as
     * certainly not executed.
     *
     * @param timeoutNanos the longest time that the callers of these commands wait
     */
    void send(List<? extends PendingCommand<?>> commands, long timeoutNanos);

    /** Returns whether a connection is open. */
    boolean isConnected();

    /** Begins to connect, if that has not begun and if this path keeps a connection. */
    void open();

    /** Gives up connections that are open or being opened, even while in use: the next lead elsewhere. */
    void restart(String reason);

    /** Ends all connections and opens no other: what is in flight and what comes later fails. Does not block. */
    void close(String reason);
}
