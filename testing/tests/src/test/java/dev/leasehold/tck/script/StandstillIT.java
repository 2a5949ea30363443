package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server that pauses between reading TIME and setting the expiry, for longer than lease and token memory. The expiry
 * then is in the past and deletes the key immediately. Fields written after it used to remain for ever, without
 * layout and expiry, so that the lock could never be acquired again.
 */
@WithRedis
class StandstillIT {

    private static final String READING = "local now = clock[1] * 1000000 + clock[2]\n";
    /** Ends by the clock, or after so many calls where the clock stands still while a script runs. */
    private static final String STANDSTILL = """
            local begun
            for _ = 1, 250000 do
              local time = redis.call('TIME')
              local micros = time[1] * 1000000 + time[2]
              begun = begun or micros
              if micros - begun > 400000 then break end
            end
            """;

    private static final AcquisitionId ID = new AcquisitionId("a1");

    private final EmbeddedRedis redis;

    StandstillIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    static Stream<Arguments> scripts() {
        return Stream.of(
                script("force_release", Bench.HOUR, lock -> new ForceRelease(lock.key, 0, Bench.EVER, 1)),
                script("renew", 60 * Bench.MILLI, lock -> new RenewHold(lock.key, ID, new LeaseSpan(60_000_000), 1)),
                script(
                        "release",
                        Bench.HOUR,
                        lock -> new ReleaseHold(
                                lock.key,
                                ID,
                                new LeaseSpan(60_000_000),
                                false,
                                new ServerTime(lock.time() + 60 * Bench.MILLI),
                                1)),
                script(
                        "resume",
                        Bench.HOUR,
                        lock -> lock.resume("b1", "a1")
                                .lasting(60 * Bench.MILLI)
                                .request()),
                script("request_release", 60 * Bench.MILLI, lock -> new RequestRelease(lock.key, Bench.EVER, 1)),
                script("acquire", 1, lock -> lock.acquire("b1").lasting(1).request()));
    }

    private static Arguments script(String name, long held, Function<Bench, StoreRequest<?>> request) {
        return Arguments.of(name, held, request);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scripts")
    void leavesNoKeyThatNeverExpiresAndNoneWithoutLayout(
            String name, long held, Function<Bench, StoreRequest<?>> request) {
        try (Bench lock = new Bench(redis, Duration.ofMillis(1))) {
            lock.acquire("a1").lasting(held).now();
            ScriptCall call = lock.scripts.call(request.apply(lock));
            Script slow = call.script();
            assertThat(slow.body()).contains(READING);
            String body = slow.body().replace(READING, READING + STANDSTILL);
            leavesASoundKey(lock, call, body);
        }
    }

    /** A key whose expiry is set ahead may expire, too, between the read and the first write of {@code acquire_free}. */
    @Test
    void aFreeLockWhoseKeyExpiresMeanwhileIsNotWritten() {
        try (Bench lock = new Bench(redis, Duration.ofMillis(1))) {
            for (String id : List.of("a1", "a2")) {
                lock.acquire(id).lasting(50 * Bench.MILLI).ifFree();
                lock.releaseUsual(id);
            }
            ScriptCall call = lock.scripts.call(
                    lock.acquire("b1").lasting(50 * Bench.MILLI).requestIfFree());
            String body = call.script().body();
            String write = "  if redis.call('HSET', key, 'last'";
            assertThat(body).contains(write);
            leavesASoundKey(lock, call, body.replace(write, STANDSTILL + write));
        }
    }

    private static void leavesASoundKey(Bench lock, ScriptCall call, String body) {
        Script slow = new Script(call.script().name(), body, "0".repeat(40));
        try {
            lock.run(new ScriptCall(slow, call.keys(), call.args(), call.timeoutNanos()));
        } catch (Wire.ErrorReply reported) {
            assertThat(reported).hasMessageContaining("the key expired while this script ran");
        }
        assertThat(lock.expiry()).isNotEqualTo(-1);
        assertThat(List.of(lock.acquire("c1").now().code().name())).isSubsetOf("GRANTED", "BUSY");
    }
}
