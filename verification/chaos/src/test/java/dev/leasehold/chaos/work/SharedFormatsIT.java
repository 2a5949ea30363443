package dev.leasehold.chaos.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.interop.Formats;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ShardedSubscriptionMode;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Locks that are shared with Redisson and with Spring Integration, by these libraries themselves. */
class SharedFormatsIT {

    /** Longer than the test waits: only a message ends a wait in time. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final LockOptions HELD_LONG =
            LockOptions.builder().leaseTime(LONG).build();

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** A thread of its own for each caller: Redisson's holders are threads. */
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        other.shutdownNow();
    }

    /** Other libraries connect by host and port. */
    private static EmbeddedRedis server() {
        return EmbeddedRedis.builder().withoutPassword().start();
    }

    private static EmbeddedCluster cluster() {
        return EmbeddedCluster.builder()
                .settings(EmbeddedRedis.builder().withoutPassword())
                .start();
    }

    /** A client of each library at the same servers. */
    private record Both(RedissonClient redisson, Leasehold leasehold, List<EmbeddedRedis> servers)
            implements AutoCloseable {

        static Both at(EmbeddedRedis redis) {
            Config config = new Config();
            config.useSingleServer().setAddress(redis.uri());
            return new Both(Redisson.create(config), Leasehold.connect(redis.uri()), List.of(redis));
        }

        static Both at(EmbeddedCluster cluster, boolean sharded) {
            Config config = new Config();
            ClusterServersConfig servers = config.useClusterServers().addNodeAddress(cluster.uri());
            if (!sharded) {
                withoutShardedChannels(servers);
            }
            return new Both(Redisson.create(config), Leasehold.connect(cluster.uri()), cluster.nodes());
        }

        private static void withoutShardedChannels(ClusterServersConfig servers) {
            try {
                servers.setShardedSubscriptionMode(ShardedSubscriptionMode.OFF);
            } catch (LinkageError e) {
                // The version under test is older than this setting, and has no sharded channels.
                assertThat(e).hasMessageContaining("ShardedSubscriptionMode");
            }
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
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            excludeAndWake(both, "order:17");
            excludeAndWake(both, "{order}:17");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soTheyDoInAClusterWithAndWithoutShardedChannels(boolean sharded) throws Exception {
        try (EmbeddedCluster cluster = cluster();
                Both both = Both.at(cluster, sharded)) {
            for (String name : List.of("order:17", "order:18", "{order}:17")) {
                excludeAndWake(both, name);
            }
        }
    }

    @Test
    void anyLongIsTheIdOfAThreadOfRedisson() throws Exception {
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            RLock theirs = both.redisson().getLock("order:17");
            DistributedLock ours = both.leasehold().lock("order:17", Formats.redisson());
            for (long thread : new long[] {-42, Long.MIN_VALUE, Long.MAX_VALUE}) {
                theirs.lockAsync(thread).toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(ours.tryAcquire()).isEmpty();
                assertThat(ours.inspect()).isPresent();
                theirs.unlockAsync(thread).toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                ours.acquire(LIMIT).close();
            }
        }
    }

    /** A waiter that only polls every 5 s would not get the lock so often within the limit. */
    @Test
    void locksWhoseUnlockTellsNobodyArePolled() throws Exception {
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            DistributedLock ours = both.leasehold().lock("order:17", Formats.redissonPolled());
            for (RLock theirs : List.of(
                    both.redisson().getSpinLock("order:17"), both.redisson().getFairLock("order:17"))) {
                long deadline = System.nanoTime() + LIMIT.toNanos();
                for (int n = 0; n < 20; n++) {
                    theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
                    CompletableFuture<Lease> waiting = ours.acquireAsync(LONG).toCompletableFuture();
                    both.awaitListeners("order:17", true);
                    theirs.unlock();
                    waiting.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                            .release();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReleaseWakesTheQueueOfAFairLock(boolean sharded) throws Exception {
        try (EmbeddedCluster cluster = cluster();
                Both both = Both.at(cluster, sharded)) {
            fairWaitersAreWoken(both, cluster.nodeOf("order:17"));
        }
    }

    @Test
    void soItDoesOnOneServer() throws Exception {
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            fairWaitersAreWoken(both, redis);
        }
    }

    /** Of two that wait, a release wakes the first, whose unlock wakes the other. */
    private void fairWaitersAreWoken(Both both, EmbeddedRedis server) throws Exception {
        RLock theirs = both.redisson().getFairLock("order:17");
        DistributedLock ours =
                both.leasehold().lock("order:17", Formats.redissonPolled()).with(HELD_LONG);
        ExecutorService third = Executors.newSingleThreadExecutor();
        try (Lease lease = ours.acquire()) {
            List<Future<Boolean>> taken = new ArrayList<>();
            for (ExecutorService thread : List.of(other, third)) {
                taken.add(thread.submit(() -> theirs.tryLock(LONG.toSeconds(), 60, TimeUnit.SECONDS)));
                await().atMost(LIMIT)
                        .until(() -> Long.valueOf(taken.size())
                                .equals(server.command("LLEN", "redisson_lock_queue:{order:17}")));
            }
            lease.release();
            assertThat(taken.get(0).get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            other.submit(theirs::unlock).get();
            assertThat(taken.get(1).get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            third.submit(theirs::unlock).get();
        } finally {
            third.shutdownNow();
        }
        ours.acquire(LIMIT).close();
    }

    private void excludeAndWake(Both both, String name) throws Exception {
        RLock theirs = both.redisson().getLock(name);
        DistributedLock ours = both.leasehold().lock(name, Formats.redisson()).with(HELD_LONG);
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
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            RFencedLock theirs = both.redisson().getFencedLock("order:17");
            DistributedLock ours = both.leasehold().lock("order:17", Formats.redissonFenced());
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
        try (EmbeddedRedis redis = server();
                Both both = Both.at(redis)) {
            DistributedLock ours = both.leasehold().lock("order:17", Formats.redisson());
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
        try (EmbeddedRedis redis = server();
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
                DistributedLock ours = leasehold.lock("17", Formats.springIntegration("orders"));
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
