package dev.leasehold.internal.check;

/**
 * A reading of a server's clock.
 *
 * @param server the server
 * @param aheadMicros how far the clock was ahead of this host's, half-way between request and reply; negative if behind
 * @param errorMicros the largest error: the server read its clock at some moment between request and reply
 */
record ClockReading(String server, long aheadMicros, long errorMicros) {}
