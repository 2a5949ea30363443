package dev.leasehold.chaos.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockFormat;
import dev.leasehold.event.LossCause;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Locks that are shared with Redisson and with Spring Integration, by these libraries themselves. */
class SharedFormatsIT {

    /** Longer than the test waits: only a message ends a wait in time. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A thread of its own for each caller: Redisson's holders are threads. */
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
    }

    private static RedissonClient redisson(EmbeddedRedis redis) {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.uri());
        return Redisson.create(config);
    }

    private static RedissonClient redisson(EmbeddedCluster cluster) {
        Config config = new Config();
        config.useClusterServers().addNodeAddress(cluster.uri());
        return Redisson.create(config);
    }

    @Test
    void callersOfRedissonAndLeaseholdExcludeAndWakeEachOther() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Leasehold leasehold = Leasehold.connect(redis.uri())) {
            RedissonClient redisson = redisson(redis);
            try {
                excludeAndWake(redisson, leasehold, "order:17");
                excludeAndWake(redisson, leasehold, "{order}:17");
            } finally {
                redisson.shutdown();
            }
        }
    }

    @Test
    void soTheyDoInACluster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Leasehold leasehold = Leasehold.connect(cluster.uri())) {
            RedissonClient redisson = redisson(cluster);
            try {
                for (String name : List.of("order:17", "order:18", "{order}:17")) {
                    excludeAndWake(redisson, leasehold, name);
                }
            } finally {
                redisson.shutdown();
            }
        }
    }

    private void excludeAndWake(RedissonClient redisson, Leasehold leasehold, String name) throws Exception {
        RLock theirs = redisson.getLock(name);
        DistributedLock ours = leasehold.lock(name, LockFormat.redisson());
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(ours.tryAcquire()).isEmpty();
        CompletableFuture<Lease> waiting = ours.acquireAsync(LIMIT).toCompletableFuture();
        theirs.unlock();
        try (Lease lease = waiting.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            assertThat(theirs.tryLock()).isFalse();
            assertThat(theirs.isLocked()).isTrue();
            Future<Boolean> taken = other.submit(() -> theirs.tryLock(LIMIT.toSeconds(), 60, TimeUnit.SECONDS));
            await().until(() -> !taken.isDone());
            lease.release();
            assertThat(taken.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        other.submit(theirs::unlock).get();
        assertThat(theirs.isLocked()).isFalse();
    }

    @Test
    void tokensOfAFencedLockRiseFromOneLibraryToTheOther() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Leasehold leasehold = Leasehold.connect(redis.uri())) {
            RedissonClient redisson = redisson(redis);
            try {
                RFencedLock theirs = redisson.getFencedLock("order:17");
                DistributedLock ours = leasehold.lock("order:17", LockFormat.redissonFenced());
                long last = 0;
                for (int n = 0; n < 20; n++) {
                    long token = theirs.lockAndGetToken();
                    theirs.unlock();
                    assertThat(token).isGreaterThan(last);
                    try (Lease lease = ours.acquire()) {
                        assertThat(lease.fencingToken()).isGreaterThan(token);
                        last = lease.fencingToken();
                    }
                }
            } finally {
                redisson.shutdown();
            }
        }
    }

    @Test
    void aLockThatRedissonUnlocksByForceIsLost() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Leasehold leasehold = Leasehold.connect(redis.uri())) {
            RedissonClient redisson = redisson(redis);
            try {
                CompletableFuture<LossCause> lost = new CompletableFuture<>();
                Lease lease = leasehold.lock("order:17", LockFormat.redisson()).acquire();
                lease.onLost(event -> lost.complete(event.cause()));
                assertThat(redisson.getLock("order:17").forceUnlock()).isTrue();
                assertThat(lost.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.DELETED);
                redisson.getReadWriteLock("order:17").readLock().lock();
                assertThatThrownBy(leasehold.lock("order:17", LockFormat.redisson())::tryAcquire)
                        .isInstanceOf(ForeignKeyException.class)
                        .hasMessageContaining("a Redisson read-write lock");
            } finally {
                redisson.shutdown();
            }
        }
    }

    @Test
    void callersOfSpringIntegrationAndLeaseholdExcludeEachOtherAndItsWaitersAreWoken() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Leasehold leasehold = Leasehold.connect(redis.uri())) {
            URI address = URI.create(redis.uri());
            LettuceConnectionFactory connections = new LettuceConnectionFactory(
                    new RedisStandaloneConfiguration(address.getHost(), address.getPort()));
            connections.afterPropertiesSet();
            connections.start();
            for (RedisLockType type : RedisLockType.values()) {
                RedisLockRegistry registry = new RedisLockRegistry(connections, "orders", LONG.toMillis());
                registry.setRedisLockType(type);
                Lock theirs = registry.obtain("17");
                DistributedLock ours = leasehold.lock("17", LockFormat.springIntegration("orders"));
                theirs.lock();
                assertThat(ours.tryAcquire()).isEmpty();
                theirs.unlock();
                try (Lease lease = ours.acquire(LIMIT)) {
                    assertThat(lease.name()).isEqualTo("17");
                    assertThat(theirs.tryLock()).isFalse();
                    Future<Boolean> taken = other.submit(() -> theirs.tryLock(LIMIT.toSeconds(), TimeUnit.SECONDS));
                    await().until(() -> type != RedisLockType.PUB_SUB_LOCK || listens(redis));
                    lease.release();
                    assertThat(taken.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
                }
                other.submit(theirs::unlock).get();
                registry.destroy();
            }
            connections.destroy();
        }
    }

    private static boolean listens(EmbeddedRedis redis) {
        return !"0".equals(String.valueOf(redis.command("PUBSUB", "NUMPAT")));
    }
}
