package dev.leasehold.benchmarks.subject;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock over Lettuce, with all defaults: leases of 30 s, not renewed, and a release that deletes the key. It never waits, so it is
 * measured only where no thread has to.
 */
public final class ShedLockSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "ShedLock";

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final LettuceConnectionFactory connections;
    private final LockProvider provider;

    /** Connects. */
    public ShedLockSubject(String uri) {
        connections = SpringSubject.connect(uri);
        provider = new RedisLockProvider(connections);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        return new ShedLockGrip(provider, lock);
    }

    @Override
    public void close() {
        connections.destroy();
    }

    private static final class ShedLockGrip implements Grip {

        private final LockProvider provider;
        private final String name;
        private @Nullable SimpleLock lock;

        ShedLockGrip(LockProvider provider, String name) {
            this.provider = provider;
            this.name = name;
        }

        @Override
        public void acquire() {
            if (!tryAcquire()) {
                throw new IllegalStateException("ShedLock does not wait");
            }
        }

        @Override
        public boolean tryAcquire() {
            lock = provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO))
                    .orElse(null);
            return lock != null;
        }

        @Override
        public boolean held() {
            return lock != null;
        }

        @Override
        public void release() {
            SimpleLock taken = lock;
            if (taken == null) {
                throw new IllegalStateException("released before it was acquired");
            }
            lock = null;
            taken.unlock();
        }
    }
}
