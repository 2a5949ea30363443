package dev.leasehold.cli.internal;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.inspect.WaiterInfo.Wants;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Makes descriptions of locks, as inspection returns them. */
public final class LockInfos {

    /** A time of Redis. */
    public static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private LockInfos() {}

    /** A lock that was acquired some seconds after noon, with 30 s left. */
    public static LockInfo held(String name, long token, long secondsAfterNoon, WaiterInfo... waiters) {
        return held(name, token, secondsAfterNoon, 30, waiters);
    }

    public static LockInfo held(
            String name, long token, long secondsAfterNoon, long leftSeconds, WaiterInfo... waiters) {
        return LockInfo.builder(name)
                .owner("owner-" + token, true)
                .process("host-1", 4711, "main")
                .times(NOON.plusSeconds(secondsAfterNoon), Duration.ofSeconds(leftSeconds))
                .holds(token, 1)
                .waiters(List.of(waiters))
                .build();
    }

    /** A plain lock of another library, of which nothing is known. */
    public static LockInfo unknown(String name) {
        return LockInfo.builder(name)
                .owner("c0ffee", false)
                .times(null, Duration.ofSeconds(5))
                .holds(0, 1)
                .build();
    }

    public static WaiterInfo waiter(long secondsAfterNoon) {
        return WaiterInfo.builder(1, Wants.LOCK, 0)
                .process("host-2", 4712, "worker")
                .since(NOON.plusSeconds(secondsAfterNoon))
                .build();
    }

    public static WaiterInfo deadWaiter(long secondsAfterNoon) {
        return waiter(secondsAfterNoon).toBuilder().alive(false).build();
    }

    /** Locks of the names, which were acquired at noon. */
    public static List<LockInfo> named(String... names) {
        return Arrays.stream(names).map(name -> held(name, 1, 0)).toList();
    }

    /** Many locks: lock-000, lock-001 and so on. */
    public static List<LockInfo> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> held(String.format("lock-%03d", i), i, 0))
                .toList();
    }
}
