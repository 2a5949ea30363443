package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the scripts as a user with few rights; the server checks each command and key inside a script against these. */
@WithRedis
class RightsIT {

    private final EmbeddedRedis redis;

    RightsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void resetUser() {
        redis.command("ACL", "DELUSER", "app");
    }

    private Bench as(String... rules) {
        String[] command = new String[rules.length + 5];
        System.arraycopy(new String[] {"ACL", "SETUSER", "app", "on", "nopass"}, 0, command, 0, 5);
        System.arraycopy(rules, 0, command, 5, rules.length);
        redis.command(command);
        Bench lock = new Bench(redis);
        lock.command("AUTH", "app", "any");
        return lock;
    }

    /** Needs no channel and no other key: a lock is one hash. */
    @Test
    void everyScriptTouchesOnlyTheOneKeyThatItDeclares() {
        try (Bench lock = as("~leasehold:{a}", "resetchannels", "+@all")) {
            lock.acquire("p1").as("job").now();
            assertThat(lock.acquire("x").now().code()).isEqualTo(AcquireHold.Code.BUSY);
            lock.writtenAhead("p1", 2 * Bench.HOUR);
            lock.acquire("p2").as("job").now();
            assertThat(lock.renew("p1", 9 * Bench.HOUR).code()).isEqualTo(RenewHold.Code.RENEWED);
            assertThat(lock.release("p1", lock.time() + Bench.HOUR).code()).isEqualTo(ReleaseHold.Code.RELEASED);
            assertThat(lock.inspect().code()).isEqualTo(InspectLock.Code.LOCK);
            lock.requestRelease();
            assertThat(lock.resume("p3", "p2").as("job").now().code()).isEqualTo(ResumeHold.Code.GRANTED);
            assertThat(lock.force().code()).isEqualTo(ForceRelease.Code.FREED);
            lock.command("DEL", lock.key.key());
            lock.command("SET", lock.key.key(), "foreign");
            assertThat(lock.acquire("x").now().found()).isEqualTo("string");
        }
    }

    @Test
    void theseCommandsAreEnough() {
        try (Bench lock = as(
                "~leasehold:{a}",
                "-@all",
                "+auth",
                "+evalsha",
                "+eval",
                "+time",
                "+hmget",
                "+hget",
                "+hset",
                "+hdel",
                "+hgetall",
                "+hincrby",
                "+exists",
                "+type",
                "+pexpireat",
                "+hlen",
                "+hscan")) {
            lock.acquire("p1").as("job").now();
            lock.put("h:p1", (lock.time() + 9 * Bench.HOUR) + ":" + Bench.SECOND + ":1");
            lock.acquire("p2").as("job").now();
            lock.acquire("x").now();
            lock.renew("p1", Bench.HOUR);
            lock.release("p1", lock.time() + Bench.HOUR);
            lock.inspect();
            lock.requestRelease();
            assertThat(lock.resume("p3", "p2").as("job").now().code()).isEqualTo(ResumeHold.Code.GRANTED);
            lock.force();
            assertThat(lock.acquire("y").now().code()).isEqualTo(AcquireHold.Code.GRANTED);
        }
    }

    /** A missing right used to be reported as another program's key. */
    @Test
    void aMissingRightIsAnErrorAndNoForeignKey() {
        try (Bench lock = as("~leasehold:{a}", "+@all", "-hmget")) {
            assertThatThrownBy(() -> lock.acquire("a1").now()).isInstanceOf(Wire.ErrorReply.class);
            assertThatThrownBy(() -> lock.renew("a1", 1)).isInstanceOf(Wire.ErrorReply.class);
            assertThatThrownBy(() -> lock.release("a1")).isInstanceOf(Wire.ErrorReply.class);
            assertThatThrownBy(lock::force).isInstanceOf(Wire.ErrorReply.class);
            assertThatThrownBy(lock::inspect).isInstanceOf(Wire.ErrorReply.class);
        }
    }

    /** A grant that is taken back used to leave tokens without an owner, which a repeat of the next grant reported as its own. */
    @Test
    void aGrantThatIsTakenBackLeavesNoTokensToTheNextHolder() {
        try (Bench lock = as("~leasehold:{a}", "+@all", "-pexpireat");
                Bench other = new Bench(redis)) {
            other.acquire("h1").reserving(10).now();
            other.ended("h1");
            assertThatThrownBy(() -> lock.acquire("a1").now()).isInstanceOf(Wire.ErrorReply.class);
            AcquireHold.Answer granted = other.acquire("b1").ifFree();
            if (granted.code() != AcquireHold.Code.GRANTED) {
                granted = other.acquire("b1").now();
            }
            assertThat(other.acquire("b1").now().token()).isEqualTo(granted.token());
        }
    }

    @Test
    void aUserWithoutWriteAccessLeavesNothingBehind() {
        try (Bench lock = as("~leasehold:{a}", "+@all", "-hset")) {
            assertThatThrownBy(() -> lock.acquire("a1").now()).isInstanceOf(Wire.ErrorReply.class);
            assertThat(lock.expiry()).isEqualTo(-2);
        }
    }

    /** A key that never expires would stay until an operator finds it. Markers of quorums and counters of Redisson do so by design. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "hset",
                "hdel",
                "hget",
                "hmget",
                "hgetall",
                "hincrby",
                "hexists",
                "hlen",
                "hscan",
                "exists",
                "type",
                "pexpireat",
                "pexpire",
                "publish",
                "set",
                "get",
                "del",
                "info"
            })
    void aScriptThatLacksARightLeavesNoKeyThatNeverExpires(String right) {
        List<String> left = new ArrayList<>();
        try (Bench lock = as("~*", "&*", "+@all", "-" + right)) {
            for (int turn = 0; turn < 2; turn++) {
                for (StoreRequest<?> request : HostileHashIT.requests(turn)) {
                    redis.command("FLUSHALL");
                    ScriptCall call = lock.scripts.call(request);
                    try {
                        lock.run(call);
                    } catch (Wire.ErrorReply refused) {
                        assertThat(refused.toString()).containsAnyOf("NOPERM", "can't run");
                    }
                    String key = call.keys().get(0);
                    if (!call.script().name().equals("quorum_join")
                            && redis.command("PTTL", key).equals(-1L)) {
                        left.add(call.script().name());
                    }
                }
            }
        }
        assertThat(left).isEmpty();
    }
}
