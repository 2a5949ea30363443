package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several locks in one call: each like acquire, in their order until one is not granted, or all or nothing. */
@WithRedis
class AcquireManyScriptIT {

    private static final Duration MEMORY = Duration.ofSeconds(60);
    private static final long LEASE = 30 * Bench.SECOND;

    private final EmbeddedRedis redis;
    private Bench one;
    private Bench two;
    private Bench three;

    AcquireManyScriptIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void open() {
        one = new Bench(redis, "one", MEMORY);
        two = new Bench(redis, "two", MEMORY);
        three = new Bench(redis, "three", MEMORY);
    }

    @AfterEach
    void close() {
        redis.command("CONFIG", "SET", "maxmemory", "0");
        Stream.of(one, two, three).forEach(Bench::close);
    }

    private List<Bench.Entry> ownEntries() {
        return List.of(
                one.acquire("a1").lasting(LEASE),
                two.acquire("a2").lasting(LEASE),
                three.acquire("a3").lasting(LEASE));
    }

    private List<EntryResult<AcquireHold.Answer>> acquire(boolean whole, List<Bench.Entry> entries) {
        List<AcquireHold> holds = entries.stream().map(Bench.Entry::request).toList();
        return one.send(new AcquireHolds(whole, holds, 1)).results();
    }

    /** Returns the codes of the tried locks, and nothing for the others. */
    private static List<String> codes(List<EntryResult<AcquireHold.Answer>> results) {
        List<String> codes = new ArrayList<>();
        for (EntryResult<AcquireHold.Answer> result : results) {
            AcquireHold.Answer answer = result.answer();
            boolean failed = result.failure() != null;
            codes.add(failed ? "failed" : answer == null ? "untried" : word(answer));
        }
        return codes;
    }

    private static String word(AcquireHold.Answer answer) {
        return answer.code().name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, String> withoutTimes(Bench lock) {
        Map<String, String> fields = lock.fields();
        fields.replaceAll((field, value) -> value.replaceAll("[0-9]{16}", "#"));
        return fields;
    }

    @Test
    void eachGrantWritesAndSaysWhatAcquireDoes() {
        for (boolean whole : new boolean[] {true, false}) {
            List<Map<String, String>> alone = new ArrayList<>();
            for (Bench.Entry entry : ownEntries()) {
                entry.now();
            }
            Stream.of(one, two, three).forEach(lock -> alone.add(withoutTimes(lock)));
            redis.flush();
            List<EntryResult<AcquireHold.Answer>> results = acquire(whole, ownEntries());
            List<Bench> locks = List.of(one, two, three);
            for (int n = 0; n < 3; n++) {
                AcquireHold.Answer answer = results.get(n).orThrow();
                Bench lock = locks.get(n);
                assertThat(withoutTimes(lock)).isEqualTo(alone.get(n));
                assertThat(answer.code()).isEqualTo(AcquireHold.Code.GRANTED);
                assertThat(answer.leftNanos()).isEqualTo(LEASE * 1000);
                assertThat(lock.field("last")).isEqualTo(Long.toString(answer.token()));
                assertThat(lock.end("a" + (n + 1))).isEqualTo(answer.now().micros() + LEASE);
                assertThat(lock.expiry()).isEqualTo(lock.expiryFor(lock.end("a" + (n + 1))));
            }
            redis.flush();
        }
    }

    @Test
    void theFirstThatIsBusyEndsIt() {
        two.acquire("b2").now();
        Map<String, Object> before = two.everything();
        assertThat(codes(acquire(false, ownEntries()))).containsExactly("granted", "busy", "untried");
        assertThat(two.everything()).isEqualTo(before);
        assertThat(one.fields()).containsKey("h:a1");
        assertThat(three.expiry()).isEqualTo(-2);
    }

    @Test
    void allOrNothingWritesNothingIfOneIsBusy() {
        three.acquire("b3").now();
        assertThat(codes(acquire(true, ownEntries()))).containsExactly("untried", "untried", "busy");
        assertThat(one.expiry()).isEqualTo(-2);
        assertThat(two.expiry()).isEqualTo(-2);
    }

    @Test
    void aRepeatFindsWhatAnEarlierCopyEntered() {
        for (boolean whole : new boolean[] {true, false}) {
            List<EntryResult<AcquireHold.Answer>> first = acquire(whole, ownEntries());
            Map<String, String> before = two.fields();
            List<EntryResult<AcquireHold.Answer>> second = acquire(whole, ownEntries());
            assertThat(codes(second)).containsOnly("granted");
            for (int n = 0; n < 3; n++) {
                assertThat(tokenOf(second.get(n))).isEqualTo(tokenOf(first.get(n)));
            }
            assertThat(two.fields()).isEqualTo(before);
            two.release("a2");
            two.acquire("b2").now();
            // The existing hold is reported though another lock is busy now.
            assertThat(codes(acquire(whole, ownEntries()))).containsExactly("granted", "busy", "untried");
            redis.flush();
        }
    }

    private static long tokenOf(EntryResult<AcquireHold.Answer> result) {
        return result.orThrow().token();
    }

    @Test
    void noFairWaiterIsOvertaken() {
        two.acquire("b2").now();
        two.acquire("c2").fairly("w:1", 0).now();
        two.release("b2");
        assertThat(codes(acquire(true, ownEntries()))).containsExactly("untried", "busy", "untried");
        assertThat(codes(acquire(false, ownEntries()))).containsExactly("granted", "busy", "untried");
        assertThat(two.acquire("c2")
                        .fairly("w:1", Long.parseLong(two.field("rv")))
                        .now()
                        .code())
                .isEqualTo(AcquireHold.Code.GRANTED);
    }

    @Test
    void aRequestThatCameTooLateIsRefusedAsAlone() {
        List<Bench.Entry> late = List.of(one.acquire("a1"), two.acquire("a2").notAfter(1), three.acquire("a3"));
        assertThat(codes(acquire(true, late))).containsExactly("untried", "stale", "untried");
        assertThat(codes(acquire(false, late))).containsExactly("granted", "stale", "untried");
    }

    @Test
    void aForeignKeyIsReportedAsByASingleCall() {
        redis.command("SET", two.key.key(), "some thing");
        assertThat(codes(acquire(true, ownEntries()))).containsExactly("untried", "foreign", "untried");
        List<EntryResult<AcquireHold.Answer>> results = acquire(false, ownEntries());
        assertThat(results.get(1).orThrow().found()).isEqualTo("string");
        one.release("a1");
        redis.command("DEL", two.key.key());
        redis.command("HSET", two.key.key(), "v", "2");
        assertThat(acquire(true, ownEntries()).get(1).orThrow().found()).isEqualTo("layout 2");
    }

    @Test
    void anErrorAfterAGrantIsReportedForItsLockAndOtherwiseForTheCall() {
        two.acquire("a2").now();
        two.put("h:a2", "no hold");
        assertThat(codes(acquire(false, ownEntries()))).containsExactly("granted", "failed", "untried");
        one.release("a1");
        assertThatThrownBy(() -> acquire(true, ownEntries())).isInstanceOf(Wire.ErrorReply.class);
        assertThat(one.fields()).doesNotContainKey("h:a1");
        List<Bench.Entry> fromTwo = ownEntries().subList(1, 3);
        assertThatThrownBy(() -> acquire(false, fromTwo)).isInstanceOf(Wire.ErrorReply.class);
        assertThat(three.expiry()).isEqualTo(-2);
    }

    @Test
    void aFullRedisRefusesAllAndNoKeyIsMade() {
        for (int i = 0; i < 40; i++) {
            one.command("SET", "filler:" + i, "x".repeat(100_000));
        }
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        for (boolean whole : new boolean[] {true, false}) {
            assertThatThrownBy(() -> acquire(whole, ownEntries()))
                    .isInstanceOf(Wire.ErrorReply.class)
                    .hasMessageStartingWith("OOM");
            Stream.of(one, two, three).forEach(lock -> assertThat(lock.expiry()).isEqualTo(-2));
        }
    }
}
