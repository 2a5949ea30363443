package dev.leasehold.internal.client;

/**
 * What a server's clock showed.
 *
 * @param server whose it is
 * @param aheadMicros how far it was ahead of this host's, in the middle between question and answer; below 0, behind
 * @param errorMicros the server read it somewhere between question and answer: so the truth is no further away than this
 */
record ClockReading(String server, long aheadMicros, long errorMicros) {}
