package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code combined.lua} judges each of its entries as if it were alone. */
@WithRedis
class CombinedScriptIT {

    private static final long LEASE = 30 * Bench.SECOND;
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);

    private final EmbeddedRedis redis;
    private final Map<String, Bench> locks = new HashMap<>();

    CombinedScriptIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void clear() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        redis.command("CONFIG", "SET", "maxmemory", "0");
        locks.values().forEach(Bench::close);
    }

    private Bench lock(String name) {
        return locks.computeIfAbsent(name, fresh -> new Bench(redis, fresh, Duration.ofSeconds(60)));
    }

    private AcquireFreeLock acquisition(String name, String label, ServerTime notAfter, long floor) {
        return new AcquireFreeLock(
                lock(name).key,
                new AcquisitionId("id-" + name),
                new LeaseSpan(LEASE * 1000),
                notAfter,
                new TokenFloor(floor),
                new Holder("17@host", "main", label),
                1);
    }

    private AcquireFreeLock acquisition(String name) {
        return acquisition(name, "", ANY_TIME, 0);
    }

    private ReleaseHold release(String name) {
        return new ReleaseHold(
                lock(name).key, new AcquisitionId("id-" + name), new LeaseSpan(LEASE * 1000), true, ServerTime.NONE, 1);
    }

    private CombinedScript.Answer send(List<AcquireFreeLock> acquisitions, List<ReleaseHold> releases) {
        return lock("any").send(new CombinedScript.Request(acquisitions, releases, 1));
    }

    /** Sends an acquisition between two good ones, and a good release; returns its answer. */
    private AcquireHold.Answer amongOthers(AcquireFreeLock entry) {
        List<String> good = List.of("before", "after", "held");
        good.forEach(name -> redis.command("DEL", lock(name).key.key()));
        lock("held").acquire("id-held").ifFree();
        CombinedScript.Answer answer =
                send(List.of(acquisition("before"), entry, acquisition("after")), List.of(release("held")));
        assertThat(answer.acquired().get(0).code()).isEqualTo(AcquireHold.Code.GRANTED);
        assertThat(answer.acquired().get(2).code()).isEqualTo(AcquireHold.Code.GRANTED);
        assertThat(answer.released().get(0)).isPresent();
        assertThat(lock("before").field("own")).isEqualTo("id-before");
        assertThat(lock("after").field("own")).isEqualTo("id-after");
        assertThat(lock("held").fields()).doesNotContainKeys("own", "h:id-held", "i:id-held");
        return answer.acquired().get(1);
    }

    /** The lock "x" in this state is left as it is, beside others that are granted. */
    private void isLeftAlone(AcquireHold.Code code, AcquireFreeLock entry, Consumer<Bench> state) {
        Bench lock = lock("x");
        redis.command("DEL", lock.key.key());
        state.accept(lock);
        String before = String.valueOf(redis.command("DUMP", lock.key.key()));
        assertThat(amongOthers(entry).code()).isEqualTo(code);
        assertThat(String.valueOf(redis.command("DUMP", lock.key.key()))).isEqualTo(before);
    }

    @Test
    void manyFreeLocksAreAcquiredAsIfEachWereAloneAndReleased() {
        List<String> names = new ArrayList<>();
        for (int n = 0; n < 64; n++) {
            names.add("lock-" + n);
        }
        CombinedScript.Answer answer =
                send(names.stream().map(this::acquisition).toList(), List.of());
        long now = answer.now().micros();
        assertThat(answer.acquired())
                .hasSize(64)
                .allMatch(each -> each.code() == AcquireHold.Code.GRANTED
                        && each.token() == now
                        && each.leftNanos() == LEASE * 1000);
        for (String name : names) {
            String id = "id-" + name;
            assertThat(lock(name).fields())
                    .isEqualTo(Map.of(
                            "ex",
                            Long.toString(lock(name).expiry()),
                            "v",
                            "1",
                            "last",
                            Long.toString(now),
                            "own",
                            id,
                            "h:" + id,
                            now + ":" + LEASE + ":" + now,
                            "i:" + id,
                            "17@host main"));
            assertThat(lock(name).expiry())
                    .isBetween(lock(name).expiryFor(now + LEASE), lock(name).expiryFor(now + LEASE + Bench.HOUR));
        }
        CombinedScript.Answer freed =
                send(List.of(), names.stream().map(this::release).toList());
        assertThat(freed.released()).hasSize(64).allMatch(each -> each.isPresent());
        assertThat(lock("lock-63").fields()).containsOnlyKeys("v", "last", "ex");
    }

    @Test
    void aLabelIsThatOfItsEntryOnly() {
        send(List.of(acquisition("a"), acquisition("b", "nightly", ANY_TIME, 0), acquisition("c")), List.of());
        assertThat(lock("a").fields()).doesNotContainKey("l:id-a");
        assertThat(lock("b").field("l:id-b")).isEqualTo("nightly");
        assertThat(lock("c").fields()).doesNotContainKey("l:id-c");
    }

    @Test
    void aLockThatIsHeldIsBusyBesideOthers() {
        isLeftAlone(
                AcquireHold.Code.BUSY,
                acquisition("x"),
                lock -> lock.acquire("other").lasting(LEASE).now());
        assertThat(amongOthers(acquisition("x")).leftNanos()).isBetween(1L, LEASE * 1000);
    }

    @Test
    void whatTheScriptForAFreeLockDoesNotDecideIsUndecidedBesideOthers() {
        isLeftAlone(
                AcquireHold.Code.UNDECIDED,
                acquisition("x"),
                lock -> lock.acquire("id-x").now());
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> {
            lock.acquire("other").now();
            lock.ended("other");
        });
        isLeftAlone(
                AcquireHold.Code.UNDECIDED,
                acquisition("x"),
                lock -> lock.acquire("other").as("job").now());
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> {
            lock.acquire("a1").now();
            lock.acquire("b1").waiting("B", 0).now();
            lock.release("a1");
        });
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> {
            lock.acquire("a1").now();
            lock.release("a1", lock.time() + Bench.HOUR);
        });
    }

    @Test
    void aLateEntryAndOneAheadOfTheClockAreUndecidedBesideOthers() {
        ServerTime past = new ServerTime(lock("x").time() - 1);
        long future = lock("x").time() + Bench.HOUR;
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x", "", past, 0), lock -> {});
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x", "", ANY_TIME, future), lock -> {});
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> {
            lock.acquire("a1").now();
            lock.release("a1");
            lock.put("last", future);
        });
    }

    @Test
    void aKeyOfAnotherTypeOrLayoutIsUndecidedBesideOthers() {
        isLeftAlone(
                AcquireHold.Code.UNDECIDED,
                acquisition("x"),
                lock -> redis.command("SET", lock.key.key(), "something"));
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> redis.command("LPUSH", lock.key.key(), "a"));
        isLeftAlone(AcquireHold.Code.UNDECIDED, acquisition("x"), lock -> lock.put("v", 2));
    }

    @Test
    void aReleaseThatIsNotUsualChangesNothingBesideOthers() {
        List<Consumer<Bench>> states = List.of(
                lock -> {},
                lock -> lock.acquire("other").now(),
                lock -> redis.command("SET", lock.key.key(), "something"),
                lock -> {
                    lock.acquire("id-x").now();
                    lock.acquire("b1").waiting("B", 0).now();
                });
        for (Consumer<Bench> state : states) {
            redis.command("FLUSHALL");
            state.accept(lock("x"));
            lock("a").acquire("id-a").ifFree();
            lock("b").acquire("id-b").ifFree();
            String before = String.valueOf(redis.command("DUMP", lock("x").key.key()));
            CombinedScript.Answer answer =
                    send(List.of(acquisition("c")), List.of(release("a"), release("x"), release("b")));
            assertThat(String.valueOf(redis.command("DUMP", lock("x").key.key())))
                    .isEqualTo(before);
            assertThat(answer.acquired().get(0).code()).isEqualTo(AcquireHold.Code.GRANTED);
            assertThat(answer.released().get(0)).isPresent();
            assertThat(answer.released().get(1)).isEmpty();
            assertThat(answer.released().get(2)).isPresent();
            assertThat(lock("a").fields()).containsOnlyKeys("v", "last", "ex");
            assertThat(lock("b").fields()).containsOnlyKeys("v", "last", "ex");
        }
    }

    /** Alone, each acquisition would be refused, and each release would not. */
    @Test
    void aFullMemoryRefusesEveryAcquisitionAndNoRelease() {
        lock("held").acquire("id-held").ifFree();
        for (int i = 0; i < 40; i++) {
            redis.command("SET", "filler:" + i, "x".repeat(100_000));
        }
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        assertThatThrownBy(() -> redis.command("SET", "more", "x")).hasMessageContaining("OOM");

        CombinedScript.Answer answer = send(List.of(acquisition("a"), acquisition("b")), List.of(release("held")));
        assertThat(answer.acquired()).hasSize(2).allMatch(each -> each.code() == AcquireHold.Code.UNDECIDED);
        assertThat(answer.released().get(0)).isPresent();
        assertThat(lock("held").fields()).containsOnlyKeys("v", "last", "ex");
        assertThat(lock("a").expiry()).isEqualTo(-2);
        assertThat(lock("b").expiry()).isEqualTo(-2);
    }
}
