package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Locks as inspection would report them. */
final class Locks {

    private Locks() {}

    static LockInfo held(String name, long token, long leftMillis) {
        return held(name, token, leftMillis, List.of(waiter(0)));
    }

    /** A waiter since that second. */
    static WaiterInfo waiter(int second) {
        return WaiterInfo.builder(1, WaiterInfo.Wants.LOCK, 0)
                .process("host", 1, "thread")
                .since(Instant.ofEpochSecond(second))
                .build();
    }

    static LockInfo held(String name, long token, long leftMillis, List<WaiterInfo> waiters) {
        return LockInfo.builder(name)
                .owner("owner", false)
                .process("host", 1, "thread")
                .times(Instant.ofEpochMilli(token), Duration.ofMillis(leftMillis))
                .holds(token, 1)
                .waiters(waiters)
                .build();
    }

    /** The moment of a refresh that many seconds after the first, a second after the one before. */
    static Moment second(int n) {
        return new Moment(Duration.ofSeconds(n).toNanos(), n * 1000L, n == 0 ? 0 : 1);
    }
}
