package dev.leasehold.spi;

/**
 * Hears that keys may have changed since a {@linkplain Script#tracked() tracked} script had them. A message may be lost, late, doubled,
 * or without a change. Called by one thread at a time for each server; must not block.
 */
public interface InvalidationListener {

    /**
     * A key has changed, or Redis does not track it any more.
     *
     * @param key the key
     */
    void invalidated(String key);

    /** Any key may have changed unnoticed: after FLUSHALL, and once a lost connection is open again. */
    void allInvalidated();
}
