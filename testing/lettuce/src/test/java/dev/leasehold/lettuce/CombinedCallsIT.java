package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several threads of one client acquire and release different locks at the same moment. */
@WithRedis
class CombinedCallsIT {

    private static final int THREADS = 8;
    private static final int PAIRS = 500;
    private static final String CALLS = "calls=";

    private final EmbeddedRedis redis;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

    CombinedCallsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void clear() {
        redis.command("FLUSHALL");
        redis.command("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void end() {
        redis.command("ACL", "DELUSER", "app");
        threads.shutdownNow();
    }

    private void onEachThread(int number, IndexedTask task) throws Exception {
        List<Future<Void>> all = new ArrayList<>();
        for (int thread = 0; thread < number; thread++) {
            int n = thread;
            Callable<Void> one = () -> {
                task.run(n);
                return null;
            };
            all.add(threads.submit(one));
        }
        for (Future<Void> each : all) {
            each.get(2, TimeUnit.MINUTES);
        }
    }

    /** What one of several threads does. */
    private interface IndexedTask {
        void run(int number) throws Exception;
    }

    /** Returns how many calls of scripts the server has run. */
    private long calls() {
        String stats = redis.info("commandstats").get("cmdstat_evalsha");
        int begin = stats.indexOf(CALLS) + CALLS.length();
        return Long.parseLong(stats.substring(begin, stats.indexOf(',', begin)));
    }

    @Test
    void threadsOnDifferentNamesNeedLessThanTwoCallsForAPair() throws Exception {
        try (Leasehold leasehold =
                Leasehold.builder().uri(redis.uri()).preflight(Preflight.OFF).build()) {
            onEachThread(THREADS, thread -> {
                DistributedLock lock = leasehold.lock("name-" + thread);
                for (int n = 0; n < PAIRS; n++) {
                    try (Lease lease = lock.acquire()) {
                        assertThat(lease.isHeld()).isTrue();
                    }
                }
            });
            assertThat(calls()).isLessThan(2L * THREADS * PAIRS);
            assertThat(leasehold.inspector().locks()).isEmpty();
        }
    }

    @Test
    void threadsOnFewNamesExcludeEachOther() throws Exception {
        List<AtomicInteger> inside = List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        AtomicInteger entered = new AtomicInteger();
        try (Leasehold one = Leasehold.connect(redis.uri());
                Leasehold other = Leasehold.connect(redis.uri())) {
            onEachThread(THREADS, thread -> {
                Leasehold client = thread % 2 == 0 ? one : other;
                for (int n = 0; n < PAIRS / 5; n++) {
                    int name = (thread + n) % inside.size();
                    try (Lease lease = client.lock("few-" + name).acquire()) {
                        assertThat(inside.get(name).incrementAndGet()).isEqualTo(1);
                        assertThat(lease.isHeld()).isTrue();
                        inside.get(name).decrementAndGet();
                        entered.incrementAndGet();
                    }
                }
            });
        }
        assertThat(entered).hasValue(THREADS * (PAIRS / 5));
    }

    /** Redis refuses a call as a whole if one of its keys is not permitted. */
    @Test
    void aNameWithoutRightsHarmsNoOther() throws Exception {
        redis.command("ACL", "SETUSER", "app", "on", ">secret", "~leasehold:{ok-*", "&*", "+@all");
        String uri = redis.uri().replace("redis://", "redis://app:secret@");
        try (Leasehold leasehold =
                Leasehold.builder().uri(uri).preflight(Preflight.OFF).build()) {
            DistributedLock forbidden = leasehold.lock("forbidden");
            onEachThread(THREADS + 1, thread -> {
                DistributedLock lock = leasehold.lock("ok-" + thread);
                for (int n = 0; n < PAIRS / 5; n++) {
                    if (thread == THREADS) {
                        assertThatThrownBy(forbidden::tryAcquire).isInstanceOf(LockUnavailableException.class);
                    } else {
                        lock.acquire().close();
                    }
                }
            });
        }
    }
}
