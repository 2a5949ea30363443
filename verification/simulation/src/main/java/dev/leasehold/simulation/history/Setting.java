package dev.leasehold.simulation.history;

/**
 * The parameters of a history.
 *
 * @param commandNanos the command timeout of the clients
 * @param retentionNanos the time for which keys outlive their last use
 * @param epochMicros Redis TIME at the beginning
 * @param tracksKeys whether Redis tells clients of changes of the keys of their leases
 */
public record Setting(long commandNanos, long retentionNanos, long epochMicros, boolean tracksKeys) {}
