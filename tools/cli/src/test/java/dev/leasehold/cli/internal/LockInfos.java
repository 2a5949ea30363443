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
        return new LockInfo(
                name,
                "owner-" + token,
                true,
                "host-1",
                4711,
                "main",
                NOON.plusSeconds(secondsAfterNoon),
                Duration.ofSeconds(leftSeconds),
                token,
                1,
                null,
                false,
                false,
                false,
                0,
                0,
                List.of(waiters),
                null);
    }

    /** A plain lock of another library, of which nothing is known. */
    public static LockInfo unknown(String name) {
        return new LockInfo(
                name,
                "c0ffee",
                false,
                "",
                0,
                "",
                null,
                Duration.ofSeconds(5),
                0,
                1,
                null,
                false,
                false,
                false,
                0,
                0,
                List.of(),
                null);
    }

    public static WaiterInfo waiter(long secondsAfterNoon) {
        return new WaiterInfo(
                1, Wants.LOCK, 0, null, "host-2", 4712, "worker", NOON.plusSeconds(secondsAfterNoon), true);
    }

    public static WaiterInfo deadWaiter(long secondsAfterNoon) {
        return new WaiterInfo(
                1, Wants.LOCK, 0, null, "host-2", 4712, "worker", NOON.plusSeconds(secondsAfterNoon), false);
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
