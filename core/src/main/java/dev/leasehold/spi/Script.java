package dev.leasehold.spi;

/**
 * A Lua script as sent to Redis. Adapters call it by {@code EVALSHA}, and by {@code EVAL} with the same arguments if
 * Redis answers {@code NOSCRIPT}.
 *
 * @param name the name of its resource file, without extension
 * @param body the source
 * @param sha1 the SHA-1 of the source in lower-case hexadecimal
 * @param tracked whether a client that hears of invalidations has Redis track the keys of each call from then on; see {@link
 *     RedisTransport#onInvalidation}
 */
public record Script(String name, String body, String sha1, boolean tracked) {

    /**
     * A script that is not tracked.
     *
     * @param name the name of its resource file, without extension
     * @param body the source
     * @param sha1 the SHA-1 of the source in lower-case hexadecimal
     */
    public Script(String name, String body, String sha1) {
        this(name, body, sha1, false);
    }
}
