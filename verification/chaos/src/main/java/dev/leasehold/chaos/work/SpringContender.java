package dev.leasehold.chaos.work;

import java.net.URI;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Spring Integration's registry of locks, with leases of 1.5 s, which it does not renew by itself. It has no
 * tokens.
 */
final class SpringContender implements Contender {

    private static final Duration LEASE = Duration.ofMillis(1500);
    private static final Duration COMMAND = Duration.ofSeconds(1);

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    SpringContender(String uri) {
        URI address = URI.create(uri);
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(address.getHost(), address.getPort()),
                LettuceClientConfiguration.builder().commandTimeout(COMMAND).build());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "spring", LEASE.toMillis());
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public @Nullable Held acquire(Wish wish) throws UnavailableException, InterruptedException {
        try {
            Lock lock = registry.obtain(wish.lock());
            if (!lock.tryLock(wish.timeLimit().toMillis(), TimeUnit.MILLISECONDS)) {
                return null;
            }
            return new Taken(lock, System.nanoTime() + LEASE.toNanos());
        } catch (CannotAcquireLockException e) {
            throw new UnavailableException(true, e);
        } catch (DataAccessException e) {
            throw new UnavailableException(true, e);
        }
    }

    @Override
    public void close() {
        registry.destroy();
        connections.destroy();
    }

    /**
     * A lock without a way to query Redis whether it is held. Its holder therefore counts the lease from the answer
     * to its acquire, and relies on it no longer.
     */
    private record Taken(Lock lock, long until) implements Held {
        @Override
        public long token() {
            return 0;
        }

        @Override
        public boolean held() {
            return System.nanoTime() < until;
        }

        @Override
        public long leftNanos() {
            return 0;
        }

        @Override
        public void onLost(Consumer<String> listener) {
            // Spring Integration does not report a loss.
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (IllegalStateException | ConcurrentModificationException e) {
                return false;
            }
        }
    }
}
