package dev.leasehold.simulation.history;

/**
 * The parameters of a history.
 *
 * @param commandNanos the command timeout of the clients
 * @param memoryNanos the time for which keys outlive their last use
 * @param epochMicros Redis TIME at the beginning
 * @param tracksKeys whether Redis tells clients of changes of the keys of their leases
 * @param servers how many servers decide by their majority; usually one decides alone
 */
public record Setting(long commandNanos, long memoryNanos, long epochMicros, boolean tracksKeys, int servers) {

    /** Creates the parameters of a history with one server. */
    public Setting(long commandNanos, long memoryNanos, long epochMicros, boolean tracksKeys) {
        this(commandNanos, memoryNanos, epochMicros, tracksKeys, 1);
    }

    /** Returns whether so many servers are a majority. */
    boolean isMajority(int some) {
        return some > servers / 2;
    }
}
