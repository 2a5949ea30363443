package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Hazards 30 and 55: every script names another program's value under a lock's key and leaves it as it is. */
@WithRedis
class ForeignKeyIT {

    private static final String KEY = "leasehold:{a}";

    private final EmbeddedRedis redis;

    ForeignKeyIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    static Stream<Arguments> foreigners() {
        return Stream.of(
                foreign("string", "SET", KEY, "1"),
                foreign("list", "RPUSH", KEY, "1"),
                foreign("set", "SADD", KEY, "1"),
                foreign("zset", "ZADD", KEY, "1", "1"),
                foreign("stream", "XADD", KEY, "1-1", "a", "1"),
                foreign("hash", "HSET", KEY, "a", "1"),
                foreign("hash", "HSET", KEY, "own", "a1", "h:a1", "1:1:1", "last", "7"),
                foreign("layout 2", "HSET", KEY, "v", "2", "last", "7"),
                foreign("layout 10", "HSET", KEY, "v", "10"),
                foreign("layout ", "HSET", KEY, "v", ""));
    }

    private static Arguments foreign(String found, String... command) {
        return Arguments.of(found, command);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreigners")
    void isNamedAndLeftAsItIs(String found, String[] command) {
        try (Bench lock = new Bench(redis)) {
            lock.command(command);
            Object before = lock.command("DUMP", KEY);
            AcquireHold.Answer acquired = lock.acquire("a1").now();
            assertThat(acquired.code()).isEqualTo(AcquireHold.Code.FOREIGN);
            assertThat(acquired.found()).isEqualTo(found);
            RenewHold.Answer renewed = lock.renew("a1", Bench.SECOND);
            assertThat(renewed.code()).isEqualTo(RenewHold.Code.FOREIGN);
            assertThat(renewed.detail()).isEqualTo(found);
            ReleaseHold.Answer released = lock.release("a1", lock.time() + Bench.HOUR);
            assertThat(released.code()).isEqualTo(ReleaseHold.Code.FOREIGN);
            assertThat(released.detail()).isEqualTo(found);
            ForceRelease.Answer forced = lock.force();
            assertThat(forced.code()).isEqualTo(ForceRelease.Code.FOREIGN);
            assertThat(forced.detail()).isEqualTo(found);
            InspectLock.Answer inspected = lock.inspect();
            assertThat(inspected.code()).isEqualTo(InspectLock.Code.FOREIGN);
            assertThat(inspected.found()).isEqualTo(found);
            assertThat(lock.command("DUMP", KEY)).isEqualTo(before);
            assertThat(lock.expiry()).as("no expiry was set").isEqualTo(-1);
        }
    }
}
