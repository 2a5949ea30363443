package dev.leasehold.simulation.history;

/**
 * What a history was made with.
 *
 * @param commandNanos the command time-out of the clients
 * @param retentionNanos how long keys outlive their last use
 * @param epochMicros Redis TIME at the beginning
 */
public record Setting(long commandNanos, long retentionNanos, long epochMicros) {}
