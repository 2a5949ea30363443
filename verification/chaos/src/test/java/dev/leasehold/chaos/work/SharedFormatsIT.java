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

    /** A client of each library at the same servers. */
    private record Both(RedissonClient redisson, Leasehold leasehold, List<EmbeddedRedis> servers)
            implements AutoCloseable {

        static Both at(EmbeddedRedis redis) {
            Config config = new Config();
            config.useSingleServer().setAddress(redis.uri());
            return new Both(Redisson.create(config), Leasehold.connect(redis.uri()), List.of(redis));
        }

        static Both at(EmbeddedCluster cluster) {
            Config config = new Config();
            config.useClusterServers().addNodeAddress(cluster.uri());
            return new Both(Redisson.create(config), Leasehold.connect(cluster.uri()), cluster.nodes());
        }

        /** Waits until somebody, or nobody, is subscribed to the releases of a lock. */
        void awaitListeners(String name, boolean some) {
            await().atMost(LIMIT).until(() -> some == (listeners(name) > 0));
        }

        private long listeners(String name) {
            String channel = "redisson_lock__channel:" + (name.contains("{") ? name : "{" + name + "}");
            return servers.stream()
                    .mapToLong(
                            server -> listeners(server, "NUMSUB", channel) + listeners(server, "SHARDNUMSUB", channel))
                    .sum();
        }

        private static long listeners(EmbeddedRedis server, String command, String channel) {
            List<?> reply = (List<?>) server.command("PUBSUB", command, channel);
            return Long.parseLong(String.valueOf(reply.get(1)));
        }

        @Override
        public void close() {
            leasehold.close();
            redisson.shutdown();
        }
    }

    @Test
    void callersOfRedissonAndLeaseholdExcludeAndWakeEachOther() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Both both = Both.at(redis)) {
            excludeAndWake(both, "order:17");
            excludeAndWake(both, "{order}:17");
        }
    }

    @Test
    void soTheyDoInACluster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Both both = Both.at(cluster)) {
            for (String name : List.of("order:17", "order:18", "{order}:17")) {
                excludeAndWake(both, name);
            }
        }
    }

    private void excludeAndWake(Both both, String name) throws Exception {
        RLock theirs = both.redisson().getLock(name);
        DistributedLock ours = both.leasehold().lock(name, LockFormat.redisson());
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(ours.tryAcquire()).isEmpty();
        CompletableFuture<Lease> waiting = ours.acquireAsync(LONG).toCompletableFuture();
        both.awaitListeners(name, true);
        theirs.unlock();
        try (Lease lease = waiting.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            assertThat(theirs.tryLock()).isFalse();
            assertThat(theirs.isLocked()).isTrue();
            both.awaitListeners(name, false);
            Future<Boolean> taken = other.submit(() -> theirs.tryLock(LONG.toSeconds(), 60, TimeUnit.SECONDS));
            both.awaitListeners(name, true);
            lease.release();
            assertThat(taken.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        other.submit(theirs::unlock).get();
        assertThat(theirs.isLocked()).isFalse();
        both.awaitListeners(name, false);
    }

    @Test
    void tokensOfAFencedLockRiseFromOneLibraryToTheOther() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Both both = Both.at(redis)) {
            RFencedLock theirs = both.redisson().getFencedLock("order:17");
            DistributedLock ours = both.leasehold().lock("order:17", LockFormat.redissonFenced());
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
        }
    }

    @Test
    void aLockThatRedissonUnlocksByForceIsLost() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Both both = Both.at(redis)) {
            DistributedLock ours = both.leasehold().lock("order:17", LockFormat.redisson());
            CompletableFuture<LossCause> lost = new CompletableFuture<>();
            Lease lease = ours.acquire();
            lease.onLost(event -> lost.complete(event.cause()));
            assertThat(both.redisson().getLock("order:17").forceUnlock()).isTrue();
            assertThat(lost.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.DELETED);
            both.redisson().getReadWriteLock("order:17").readLock().lock();
            assertThatThrownBy(ours::tryAcquire)
                    .isInstanceOf(ForeignKeyException.class)
                    .hasMessageContaining("a Redisson read-write lock");
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
