package dev.leasehold.spi;

/** What a connection is opened for. */
public enum ConnectionPurpose {
    /** Commands that are answered, for callers or in batches. */
    COMMANDS,
    /** The same, for batches, and with {@code CLIENT TRACKING} the invalidations of keys that they have read. */
    TRACKED_COMMANDS,
    /** {@code SUBSCRIBE}, {@code SSUBSCRIBE} and their opposites, and the messages of their channels. */
    SUBSCRIPTIONS,
    /** Commands to a Sentinel, with the user and the password of Sentinels. */
    SENTINEL,
    /** {@code SUBSCRIBE} at a Sentinel. */
    SENTINEL_SUBSCRIPTIONS;

    /**
     * Returns whether messages are to be received over the connection.
     *
     * @return true for the two kinds of subscriptions
     */
    public boolean receivesMessages() {
        return this == SUBSCRIPTIONS || this == SENTINEL_SUBSCRIPTIONS;
    }

    /**
     * Returns whether the server is a Sentinel.
     *
     * @return true for the two kinds of connections to Sentinels
     */
    public boolean isToSentinel() {
        return this == SENTINEL || this == SENTINEL_SUBSCRIPTIONS;
    }
}
