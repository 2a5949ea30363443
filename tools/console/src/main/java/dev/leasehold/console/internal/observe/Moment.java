package dev.leasehold.console.internal.observe;

/**
 * The time of a refresh.
 *
 * @param nanos by the monotonic clock
 * @param wallMillis by the wall clock, in milliseconds since the epoch
 * @param seconds the observed seconds that end now; 0 after a gap in the observation
 */
record Moment(long nanos, long wallMillis, double seconds) {}
