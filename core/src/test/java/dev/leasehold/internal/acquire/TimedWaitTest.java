package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Acquirable;
import dev.leasehold.DistributedLock;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait with a time limit that does not get its lock ends when the time has elapsed: not before, and with few requests. */
class TimedWaitTest {

    private static final LockOptions POLLING = LockOptions.builder()
            .waitStrategy(WaitStrategy.polling(Duration.ofMillis(3)))
            .build();

    /** Half a millisecond is a round trip; the last are the waits of the JDK's own tests. */
    static Stream<Duration> waits() {
        return Stream.of(1, 600, 1_000, 1_500, 2_000, 5_000, 12_000, 20_000, 150_000, 3_000_000)
                .map(micros -> Duration.ofNanos(micros * 1000L));
    }

    private final EngineRig rig = new EngineRig();

    private Map<String, DistributedLock> locks() {
        Engine engine = rig.engine;
        Map<String, DistributedLock> locks = new TreeMap<>();
        locks.put("lock", rig.lock());
        locks.put("polling", rig.lock(POLLING));
        locks.put("fair", engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS));
        locks.put("owned", rig.lock().ownedBy("me"));
        locks.put("read", engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS).readLock());
        locks.put(
                "write", engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS).writeLock());
        locks.put(
                "permits", engine.semaphore(EngineRig.KEY, 3, EngineRig.OPTIONS).asLock());
        locks.put("plain", engine.lock(PlainKey.of("p"), EngineRig.OPTIONS));
        locks.put("redisson", engine.lock(RedissonKey.of("r", false), EngineRig.OPTIONS));
        return locks;
    }

    private void everythingIsBusy() {
        for (String script : List.of("acquire", "plain_acquire", "redisson_acquire")) {
            rig.redis.answers(script, call -> {
                // The answer takes a third of a millisecond.
                rig.pass(Duration.ofNanos(333_000));
                return rig.redis.reply("busy", "30000000", "7", "0");
            });
        }
        rig.redis.answers("acquire_many", call -> {
            rig.pass(Duration.ofNanos(333_000));
            return rig.redis.each(call, n -> n == 0 ? List.of("busy", "30000000 0 0") : List.of("untried", ""));
        });
    }

    @ParameterizedTest
    @MethodSource("waits")
    void isFalseOnceItsTimeHasElapsedAndNotBefore(Duration wait) throws Exception {
        everythingIsBusy();
        for (Map.Entry<String, DistributedLock> one : locks().entrySet()) {
            DistributedLock lock = one.getValue();
            check(
                    one.getKey() + ", tryAcquire",
                    wait,
                    () -> lock.tryAcquire(wait).isEmpty());
            check(one.getKey() + ", tryLock", wait, () -> !lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private interface Attempt {
        boolean isBusy() throws InterruptedException;
    }

    private void check(String what, Duration wait, Attempt attempt) throws InterruptedException {
        long from = rig.time.nanoTime();
        int sent = rig.redis.sent.size();
        assertThat(attempt.isBusy()).as(what).isTrue();
        long took = rig.time.nanoTime() - from;
        assertThat(took).as(what).isGreaterThanOrEqualTo(wait.toNanos());
        // At most one answer later.
        assertThat(took).as(what).isLessThanOrEqualTo(wait.toNanos() + 1_000_000);
        long most = what.startsWith("polling") ? 6 + wait.toMillis() : 6 + wait.toMillis() / 20;
        assertThat(rig.redis.sent.size() - sent).as(what + ", requests").isLessThanOrEqualTo((int) most);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void ofSeveralLocksEndsOnceItsTimeHasElapsedAndNotBefore(Duration wait) throws Exception {
        everythingIsBusy();
        Acquirable<?> several =
                rig.engine.multiLock(List.of(EngineRig.KEY, LockKey.of(EngineRig.PREFIX, "b")), EngineRig.OPTIONS);
        check("several", wait, () -> several.tryAcquire(wait).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutAThreadEndsOnceItsTimeHasElapsedAndNotBefore(boolean polls) {
        everythingIsBusy();
        Duration wait = Duration.ofMillis(5);
        long from = rig.time.nanoTime();
        CompletableFuture<?> waiting = rig.lock(polls ? POLLING : EngineRig.OPTIONS)
                .tryAcquireAsync(wait)
                .toCompletableFuture();
        rig.pass(Duration.ofNanos(from + wait.toNanos() - 1 - rig.time.nanoTime()));
        assertThat(waiting).isNotDone();
        rig.pass(Duration.ofMillis(2));
        assertThat(waiting).isDone();
    }
}
