package dev.leasehold.chaos.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/**
 * Redisson, plain or fenced. A lease that is not renewed has the requested time. One that is renewed has the
 * timeout of the watchdog, which is one for the whole client: 2 s here, so that it is as long as others' leases.
 */
final class RedissonContender implements Contender {

    private static final int COMMAND_MILLIS = 1000;
    private static final int WATCHDOG_MILLIS = 2000;

    private final RedissonClient redisson;
    private final boolean fenced;

    RedissonContender(String uri, boolean fenced) {
        this.fenced = fenced;
        Config config = new Config();
        config.setLockWatchdogTimeout(WATCHDOG_MILLIS);
        config.useSingleServer().setAddress(uri).setTimeout(COMMAND_MILLIS);
        redisson = Redisson.create(config);
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public @Nullable Held acquire(Wish wish) throws UnavailableException, InterruptedException {
        try {
            long lease = wish.renewed() ? -1 : wish.lease().toMillis();
            long timeLimit = wish.timeLimit().toMillis();
            if (fenced) {
                RFencedLock lock = redisson.getFencedLock(wish.lock());
                Long token = lock.tryLockAndGetToken(timeLimit, lease, TimeUnit.MILLISECONDS);
                return token == null ? null : new Taken(lock, token);
            }
            RLock lock = redisson.getLock(wish.lock());
            return lock.tryLock(timeLimit, lease, TimeUnit.MILLISECONDS) ? new Taken(lock, 0) : null;
        } catch (RedisException e) {
            throw new UnavailableException(true, e);
        }
    }

    @Override
    public void close() {
        redisson.shutdown();
    }

    private record Taken(RLock lock, long token) implements Held {
        /** Queries Redis; a careful caller treats a missing answer as false. */
        @Override
        public boolean held() {
            try {
                return lock.isHeldByCurrentThread();
            } catch (RedisException e) {
                return false;
            }
        }

        @Override
        public long leftNanos() {
            return 0;
        }

        @Override
        public void onLost(Consumer<String> listener) {
            // Redisson does not report a loss.
        }

        @Override
        public boolean release() {
            try {
                lock.unlock();
                return true;
            } catch (IllegalMonitorStateException e) {
                return false;
            }
        }
    }
}
