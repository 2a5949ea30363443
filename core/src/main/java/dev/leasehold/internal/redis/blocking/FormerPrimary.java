package dev.leasehold.internal.redis.blocking;

import dev.leasehold.spi.RedisErrorException;
import org.jspecify.annotations.Nullable;

/** Recognizes a server that takes no writes: it was the primary once, and its name may lead to another server by now. */
final class FormerPrimary {

    private FormerPrimary() {}

    static boolean said(@Nullable Object refusal) {
        return refusal instanceof RedisErrorException error
                && (error.code().equals("READONLY") || error.code().equals("MASTERDOWN"));
    }
}
