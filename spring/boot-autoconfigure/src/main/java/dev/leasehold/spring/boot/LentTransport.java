package dev.leasehold.spring.boot;

import dev.leasehold.spi.RedisTransport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transport over a connection of the application, opened when it is first asked for and Redis is there: a client that starts without Redis asks
 * again and again, on another thread than the one that creates beans. Thread-safe.
 */
final class LentTransport implements Supplier<RedisTransport> {

    private final Supplier<RedisTransport> opening;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable RedisTransport opened;

    LentTransport(Supplier<RedisTransport> opening) {
        this.opening = opening;
    }

    @Override
    public RedisTransport get() {
        lock.lock();
        try {
            RedisTransport known = opened;
            if (known == null) {
                known = opening.get();
                opened = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }
}
