package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redis keeps no field of a waiter or a holder that is gone, and no key of a name that is no longer used. */
@WithRedis
class KeyBoundsIT {

    private static final String KEY = "leasehold:{a}";
    private static final LockOptions SHORT = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(1))
            .renewal(Renewal.none())
            .build();

    private final EmbeddedRedis redis;

    KeyBoundsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void clear() {
        redis.flush();
    }

    private Leasehold client() {
        return builder().build();
    }

    private LeaseholdBuilder builder() {
        return Leasehold.builder().uri(redis.uri()).preflight(Preflight.OFF);
    }

    private static ConditionFactory await() {
        return Awaitility.await().pollInSameThread().atMost(Duration.ofMinutes(1));
    }

    private long number(String... command) {
        return (Long) redis.command(command);
    }

    /** Returns the kinds of fields, without the ids behind them. */
    private List<String> fields() {
        List<?> keys = (List<?>) redis.command("HKEYS", KEY);
        return keys.stream()
                .map(field -> field.toString().replaceFirst(":.*", ":"))
                .distinct()
                .sorted()
                .toList();
    }

    /** As docs/how-to/sizing.md says: 250 to 700 bytes, and after the release about half of that. */
    @Test
    void aLockTakesTheMemoryThatThePageOnSizingNames() throws Exception {
        try (Leasehold leasehold = client()) {
            for (String name : List.of("a", "name-00000001", "n".repeat(100))) {
                String key = "leasehold:{" + name + "}";
                Lease lease = leasehold.lock(name).acquire();
                long held = number("MEMORY", "USAGE", key);
                assertThat(held).as(name).isBetween(250L, 700L);
                lease.release();
                await().until(() -> redis.command("HGET", key, "own") == null);
                assertThat(number("MEMORY", "USAGE", key)).as(name).isBetween(held * 35 / 100, held * 65 / 100);
            }
        }
    }

    @Test
    void threeHundredWaitersThatGaveUpLeaveNoField() throws Exception {
        try (Leasehold holder = client();
                Leasehold waiting = builder()
                        // No request is sent twice, also on a machine that stands still for a while.
                        .commandTimeout(Duration.ofMinutes(1))
                        .build()) {
            Lease held = holder.fairLock("a").acquire();
            DistributedLock lock = waiting.fairLock("a");
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (int n = 0; n < 300; n++) {
                waiters.add(lock.acquireAsync().toCompletableFuture());
            }
            await().untilAsserted(
                            () -> assertThat(redis.command("HGET", KEY, "wn")).isEqualTo("300"));
            assertThat(number("HLEN", KEY)).isGreaterThan(300);
            waiters.forEach(waiter -> waiter.cancel(false));
            await().untilAsserted(() ->
                    assertThat(fields()).doesNotContain("q:", "b:", "wn", "qh", "qt", "qn", "qf", "wb", "rv", "re"));
            held.release();
            untilOnlyTheLastTokenIsLeft(lock);
        }
    }

    /**
     * A poll that was on its way when its waiter gave up is remembered until it can come no more, and then removed by the
     * next that writes.
     */
    private void untilOnlyTheLastTokenIsLeft(DistributedLock lock) {
        await().until(() -> {
            lock.tryAcquire().ifPresent(Lease::release);
            return fields().equals(List.of("last", "v"));
        });
    }

    /** As a waiter has them whose answer was lost with its connection: it asked again, and has a later position. */
    @Test
    void aPositionThatNobodyKnowsIsGivenUpOnceItIsTheHead() throws Exception {
        try (Leasehold holder = client();
                Leasehold waiting = client()) {
            Lease held = holder.fairLock("a").acquire();
            DistributedLock lock = waiting.fairLock("a");
            CompletableFuture<Lease> before = lock.acquireAsync().toCompletableFuture();
            await().until(() -> "1".equals(redis.command("HGET", KEY, "wn")));
            long position = Long.parseLong(redis.command("HGET", KEY, "qt").toString());
            for (long unknown = position + 1; unknown <= position + 10; unknown++) {
                redis.command("HSET", KEY, "q:" + unknown, (String) redis.command("HGET", KEY, "q:" + position));
            }
            redis.command("HSET", KEY, "wn", "11", "qt", "" + (position + 10));
            CompletableFuture<Lease> behind = lock.acquireAsync().toCompletableFuture();
            await().until(() -> "12".equals(redis.command("HGET", KEY, "wn")));
            before.cancel(false);
            held.release();
            behind.get(1, TimeUnit.MINUTES).release();
            untilOnlyTheLastTokenIsLeft(lock);
        }
    }

    /** As their processes leave them that crash: their heartbeats are older than 7 s. */
    @Test
    void aThousandDeadWaitersAreRemoved() throws Exception {
        try (Leasehold leasehold = client()) {
            leasehold.lock("a").acquire().release();
            long now = Long.parseLong(redis.command("HGET", KEY, "last").toString());
            long first = now - 10_000_000;
            for (long n = first; n < first + 1_000; n++) {
                redis.command("HSET", KEY, "q:" + n, first + ":leasehold:wake:dead-" + n % 10);
            }
            for (int client = 0; client < 10; client++) {
                redis.command("HSET", KEY, "b:leasehold:wake:dead-" + client, Long.toString(first));
            }
            redis.command(
                    "HSET", KEY, "wn", "1000", "qh", "" + first, "qt", "" + (first + 999), "qn", "" + first, "qf", "1");
            DistributedLock lock = leasehold.lock("a");
            await().until(() -> {
                lock.tryAcquire().ifPresent(Lease::release);
                return number("HLEN", KEY) < 10;
            });
            assertThat(fields()).doesNotContain("q:", "b:", "wn", "qh", "qt", "qn", "qf");
        }
    }

    /** As their processes leave them that crash: they have ended without a release. */
    @Test
    void theHoldsOfAThousandDeadHoldersAreRemoved() throws Exception {
        try (Leasehold leasehold = client()) {
            DistributedLock permits = leasehold.semaphore("a", 1_001).asLock();
            Lease live = permits.acquire();
            String[] sum = redis.command("HGET", KEY, "rs").toString().split(":", -1);
            long began = Long.parseLong(redis.command("HGET", KEY, "last").toString()) - 10_000_000;
            for (int n = 0; n < 1_000; n++) {
                redis.command("HSET", KEY, "h:dead-" + n, began + ":1000000:" + began, "i:dead-" + n, "17@host main");
            }
            redis.command("HSET", KEY, "rs", "1001:" + (began + 1_000_000) + ":" + sum[2] + ":" + sum[3]);
            await().until(() -> {
                permits.tryAcquire().ifPresent(Lease::release);
                return number("HLEN", KEY) < 10;
            });
            assertThat(live.isHeld()).isTrue();
            live.release();
            assertThat(fields()).containsExactly("last", "pt", "v");
        }
    }

    private long expiredKeys() {
        return Long.parseLong(redis.info("stats").get("expired_keys"));
    }

    @Test
    void noKeyIsLeftWhenTheTokenMemoryHasPassed() throws Exception {
        long before = expiredKeys();
        try (Leasehold leasehold =
                builder().rememberTokens(Duration.ofSeconds(1)).build()) {
            for (int n = 0; n < 100; n++) {
                leasehold.lock("used-" + n).with(SHORT).acquire().release();
                leasehold.lock("ended-" + n).with(SHORT).acquire();
            }
            for (int n = 0; n < 3; n++) {
                leasehold.lock("used again").with(SHORT).acquire().release();
                leasehold.lock("owned").with(SHORT).ownedBy("me").acquire().release();
                leasehold.fairLock("fair").with(SHORT).acquire().release();
                leasehold.lock("plain", Formats.plain()).with(SHORT).acquire().release();
                leasehold.semaphore("permits", 3).with(SHORT).asLock().acquire().release();
            }
            DistributedReadWriteLock documents = leasehold.readWriteLock("document");
            documents.readLock().with(SHORT).acquire().release();
            documents.writeLock().with(SHORT).acquire().release();
            leasehold.allOf("several", "of them").with(SHORT).acquire().release();
            DistributedLatch latch = Latches.of(leasehold).latch("latch");
            assertThat(latch.trySet(2, Duration.ofSeconds(5))).isTrue();
            latch.countDown();
            await().ignoreException(LockUnavailableException.class).until(() -> !latch.await(Duration.ofMillis(500)));
            await().until(() -> number("DBSIZE") == 0);
            assertThat(expiredKeys() - before).isGreaterThan(200);
        }
    }
}
