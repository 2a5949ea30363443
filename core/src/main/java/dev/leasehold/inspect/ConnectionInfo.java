package dev.leasehold.inspect;

/**
 * How many connections of a client for one purpose are open, and how many have been opened since the client started: a client that
 * loses none opens few. Over a pool that the application lends, connections are borrowed, and count each time.
 *
 * @param purpose {@code commands}, {@code tracked_commands}, {@code subscriptions}, {@code sentinel} or {@code sentinel_subscriptions}, as
 *     {@link dev.leasehold.spi.ConnectionPurpose}
 * @param open how many are open now; of a quorum at all servers together, like the others
 * @param opened how many have been opened since the client started, with those that have ended
 * @param failed how many attempts to open one have failed since then
 */
public record ConnectionInfo(String purpose, long open, long opened, long failed) {}
