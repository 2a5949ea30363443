package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks whose key is one hold: plain ones, and those that are shared with Redisson. */
class ForeignHoldIT extends BenchBase {

    private static final LeaseSpan SHORT = new LeaseSpan(30 * Bench.SECOND * 1000);
    private static final AcquisitionId ID = new AcquisitionId("a1");

    private static LockKey key(String format) {
        return switch (format) {
            case "plain" -> PlainKey.of("shared");
            case "redisson" -> RedissonKey.of("shared", false);
            default -> RedissonKey.of("shared", true);
        };
    }

    private AcquireHold.Answer acquire(LockKey key) {
        AcquireHold.Answer answer = lock.send(new AcquireHold(
                key,
                ID,
                OwnerKey.anonymous(ID),
                SHORT,
                Bench.EVER,
                new TokenFloor(0),
                new Holder("17@host", "main", ""),
                Waiter.NONE,
                1));
        assertThat(answer.code()).isEqualTo(AcquireHold.Code.GRANTED);
        return answer;
    }

    private long expiry() {
        return (Long) lock.command("PEXPIRETIME", "shared");
    }

    /** Found by simulation: the holder believed in its extension, and others got the lock. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "redisson", "fenced"})
    void aLateCopyOfTheAcquireLeavesAnExtensionAsItIs(String format) {
        LockKey key = key(format);
        acquire(key);
        assertThat(lock.send(new RenewHold(key, ID, new LeaseSpan(Bench.HOUR * 1000), 1))
                        .code())
                .isEqualTo(RenewHold.Code.RENEWED);
        long extended = expiry();
        AcquireHold.Answer repeat = acquire(key);
        // Relative to the clock of the server: part of a ms may be over.
        assertThat(expiry()).isBetween(extended - 1, extended + 2);
        assertThat(repeat.leftNanos()).isGreaterThan(SHORT.nanos());
    }

    /** A failover to a server whose clock is behind: the end that the former one set is too far. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "redisson", "fenced"})
    void aHoldThatWasWrittenByAClockThatWasAheadLastsForOneLease(String format) {
        LockKey key = key(format);
        acquire(key);
        String ahead = ID.value() + " " + (lock.time() + Bench.HOUR) + " 17@host main\n";
        if (format.equals("plain")) {
            lock.command("SET", "shared", ahead);
        } else {
            lock.command("DEL", "shared");
            lock.command("HSET", "shared", ahead, "1");
        }
        lock.command("PEXPIRE", "shared", "3600000");
        assertThat(acquire(key).leftNanos()).isLessThanOrEqualTo(SHORT.nanos());
        assertThat((Long) lock.command("PTTL", "shared")).isBetween(1L, 30_001L);
    }
}
