package dev.leasehold.internal.wait;

/**
 * The reason why the first waiter of a queue gets no answer from Redis.
 *
 * @param last the latest failure
 * @param since when the first request without an answer was sent
 */
public record Outage(RuntimeException last, long since) {}
