package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SimulatedRedisTest {

    private static final String KEY = "leasehold:{a}";
    private static final String OOM = "OOM command not allowed when used memory > 'maxmemory'";

    private final ManualClock clock = ManualClock.create();
    private final SimulatedRedis redis = SimulatedRedis.create(clock);

    private Object run(String... args) {
        return redis.execute(List.of(args));
    }

    private List<String> eval(Script script, String... args) {
        return redis.eval(new ScriptCall(script, List.of(KEY), List.of(args), 0));
    }

    private List<String> acquire(String id) {
        return eval(
                AcquireScript.SCRIPT,
                id,
                "30000000",
                "9007199254740991",
                "0",
                "60000",
                "1@h main",
                "",
                "",
                "0",
                "1",
                "0");
    }

    private Object script(String body) {
        return run("EVAL", body, "1", KEY);
    }

    @Test
    void runsTheScriptsOfTheCore() {
        assertThat(acquire("A")).startsWith("granted");
        assertThat(acquire("B")).startsWith("busy");
        assertThat(eval(RenewScript.SCRIPT, "A", "30000000", "60000")).startsWith("renewed");
        assertThat(eval(InspectScript.SCRIPT)).startsWith("lock").contains("h:A");
        assertThat(eval(ReleaseScript.SCRIPT, "A", "0", "60000")).startsWith("released");
        assertThat(redis.hash(KEY)).containsOnlyKeys("v", "last");
        clock.advance(Duration.ofMinutes(2));
        assertThat(redis.keys()).isEmpty();
    }

    @Test
    void handsOverEveryCharacter() {
        String text = "ä 𝄞 \u0000 \"\\ \r\n \uffff";
        assertThat(run("EVAL", "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])", "1", KEY, text))
                .isEqualTo(text);
        assertThat(run("EVAL", "return string.len(ARGV[1])", "0", "ä𝄞")).isEqualTo(6L);
        assertThat(run("EVAL", "return string.len(ARGV[1])", "0", "a\0b")).isEqualTo(3L);
        assertThat(run("EVAL", "return ARGV[1]", "0", "a\0b")).isEqualTo("a\0b");
    }

    @Test
    void nothingOfAScriptIsLeftForTheNext() {
        assertThatThrownBy(() -> script("foo = 1")).hasMessageContaining("Attempt to modify a readonly table");
        assertThatThrownBy(() -> script("return foo")).hasMessageContaining("nonexistent global variable 'foo'");
        assertThatThrownBy(() -> script("return io.open('/')"))
                .hasMessageContaining("nonexistent global variable 'io'");
        assertThatThrownBy(() -> script("return os.time()")).hasMessageContaining("nonexistent global variable 'os'");
        assertThatThrownBy(() -> script("return java")).hasMessageContaining("nonexistent global variable 'java'");
        assertThatThrownBy(() -> script("string.sub = nil")).hasMessageContaining("readonly table");
        assertThat(script("return string.sub('abc', 2)")).isEqualTo("bc");
    }

    @Test
    void aKeyExpiresOneMillisecondAfterItsTime() {
        run("SET", "k", "v");
        long until = clock.wallMillis() + 1000;
        run("PEXPIREAT", "k", Long.toString(until));
        clock.advance(Duration.ofMillis(1000));
        assertThat(run("GET", "k")).isEqualTo("v");
        assertThat(run("PTTL", "k")).isEqualTo(0L);
        clock.advance(Duration.ofMillis(1));
        assertThat(run("GET", "k")).isNull();
        assertThat(run("PTTL", "k")).isEqualTo(-2L);
        assertThat(redis.expiresAtMillis("k")).isEqualTo(-2);
    }

    @Test
    void anExpiryThatHasPassedDeletesAtOnce() {
        run("SET", "k", "v");
        assertThat(run("PEXPIREAT", "k", Long.toString(clock.wallMillis()))).isEqualTo(1L);
        assertThat(run("EXISTS", "k")).isEqualTo(0L);
    }

    @Test
    void itsClockCanBeSteppedAlone() {
        long before = redis.micros();
        redis.stepClock(Duration.ofSeconds(-10));
        assertThat(redis.micros()).isEqualTo(before - 10_000_000);
        assertThat(clock.micros()).isEqualTo(before);
        redis.stepClock(Duration.ofSeconds(10));
        assertThat(redis.micros()).isEqualTo(before);
    }

    @Test
    void fullMemoryRefusesOnlyWhatNeedsMoreAndOnlyBeforeTheFirstWrite() {
        run("HSET", "k", "a", "1");
        redis.outOfMemory(true);
        assertThatThrownBy(() -> run("HSET", "k", "b", "1"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessage(OOM);
        assertThat(run("HDEL", "k", "a")).isEqualTo(1L);
        assertThatThrownBy(() -> script("return redis.call('HSET', KEYS[1], 'a', 1)"))
                .hasMessageStartingWith(OOM + ". script: ")
                .hasMessageEndingWith(", on @user_script:1");
        assertThat(script(
                        "redis.call('PEXPIREAT', KEYS[1], '4000000000000') return redis.call('HSET', KEYS[1], 'a', 1)"))
                .isEqualTo(1L);
        redis.outOfMemory(false);
        assertThat(run("HSET", "k", "b", "1")).isEqualTo(1L);
    }

    @Test
    void failsTheRequestedNumberOfTimes() {
        redis.failNext(2, "LOADING Redis is loading the dataset in memory");
        assertThatThrownBy(() -> acquire("A"))
                .isInstanceOfSatisfying(
                        RedisErrorException.class, e -> assertThat(e.code()).isEqualTo("LOADING"));
        assertThatThrownBy(() -> run("TIME")).hasMessageStartingWith("LOADING");
        assertThat(acquire("A")).startsWith("granted");
    }

    @Test
    void forgetsFlushedScriptsAndLoadsThemAgain() {
        acquire("A");
        String sha1 = AcquireScript.SCRIPT.sha1();
        assertThat(run("SCRIPT", "EXISTS", sha1)).isEqualTo(List.of(1L));
        redis.flushScripts();
        assertThat(run("SCRIPT", "EXISTS", sha1)).isEqualTo(List.of(0L));
        assertThatThrownBy(() -> run("EVALSHA", sha1, "0")).hasMessage("NOSCRIPT No matching script. Please use EVAL");
        assertThat(acquire("B")).startsWith("busy");
    }

    @Test
    void aRestartKeepsTheDataOrLosesThem() {
        acquire("A");
        redis.restart(true);
        assertThat(acquire("B")).startsWith("busy");
        redis.restart(false);
        assertThat(redis.keys()).isEmpty();
        redis.failOver(1, Duration.ZERO);
        assertThat(redis.keys()).as("no replica has what was lost").isEmpty();
    }

    @Test
    void aFailOverLosesTheLatestWritesAndNoMore() {
        run("SET", "first", "1");
        script("redis.call('HSET', KEYS[1], 'a', 1) redis.call('HSET', KEYS[1], 'b', 1)");
        script("redis.call('HSET', KEYS[1], 'a', 2) redis.call('HDEL', KEYS[1], 'b') redis.call('DEL', 'first')");
        run("GET", "first");
        redis.failOver(1, Duration.ofSeconds(-3));
        assertThat(redis.hash(KEY)).containsEntry("a", "1").containsEntry("b", "1");
        assertThat(run("GET", "first")).isEqualTo("1");
        assertThat(redis.micros()).isEqualTo(clock.micros() - 3_000_000);
        redis.failOver(1, Duration.ZERO);
        assertThat(redis.hash(KEY)).as("there is only one history to lose").isNotEmpty();
        assertThat(redis.micros()).isEqualTo(clock.micros());
    }

    @Test
    void countsTheWritesOfWhichAFailOverLosesTheLatest() {
        run("SET", "first", "1");
        long before = redis.writes();
        script("redis.call('HSET', KEYS[1], 'a', 1) redis.call('HSET', KEYS[1], 'b', 1)");
        run("GET", "first");
        assertThat(redis.writes()).as("a script is one write, a read none").isEqualTo(before + 1);
        redis.failOver(1, Duration.ZERO);
        assertThat(redis.hash(KEY)).isEmpty();
        assertThat(redis.writes()).as("whatever was lost").isEqualTo(before + 1);
    }

    @Test
    void aFailOverBringsBackAnExpiryAsItWas() {
        run("SET", "k", "v");
        run("PEXPIREAT", "k", "4000000000000");
        run("PEXPIREAT", "k", "4000000000999");
        redis.failOver(1, Duration.ZERO);
        assertThat(redis.expiresAtMillis("k")).isEqualTo(4_000_000_000_000L);
    }

    @Test
    void evictsAKey() {
        acquire("A");
        redis.evict(KEY);
        assertThat(redis.keys()).isEmpty();
        assertThat((String) run("INFO", "stats")).contains("evicted_keys:1");
    }

    @Test
    void scansALargeHashInPagesAndASmallOneAtOnce() {
        for (int n = 0; n < 1000; n++) {
            run("HSET", KEY, "f" + n, "v" + n, "other:" + n, "");
        }
        List<Object> found = new ArrayList<>();
        String cursor = "0";
        int pages = 0;
        do {
            List<?> page = (List<?>) run("HSCAN", KEY, cursor, "MATCH", "f*", "COUNT", "100");
            cursor = (String) page.get(0);
            found.addAll((List<?>) page.get(1));
            // What is removed meanwhile must not hide what stays.
            run("HDEL", KEY, "other:" + pages++);
        } while (!cursor.equals("0"));
        assertThat(pages).isBetween(15, 21);
        assertThat(found).hasSize(2000).contains("f0", "v0", "f999", "v999");
        run("HSET", "small", "a", "1", "b", "2");
        assertThat(run("HSCAN", "small", "0", "COUNT", "1")).isEqualTo(List.of("0", List.of("a", "1", "b", "2")));
    }

    @Test
    void deliversMessagesWhenTheCommandIsOver() throws Exception {
        List<String> heard = new ArrayList<>();
        try (AutoCloseable subscription = redis.subscribe("c", message -> heard.add(message + run("GET", "k")))) {
            assertThat(script("redis.call('PUBLISH', 'c', 'm') redis.call('SET', 'k', 'v') return 1"))
                    .isEqualTo(1L);
            assertThat(heard).containsExactly("mv");
        }
        assertThat(run("PUBLISH", "c", "m")).isEqualTo(0L);
        assertThat(heard).hasSize(1);
    }

    @Test
    void refusesAReplyThatIsNoFlatListOfStrings() {
        Script numbers = new Script("numbers", "return {1}", "6e8c8d4d");
        assertThatThrownBy(() -> eval(numbers))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("numbers")
                .hasMessageContaining("no flat list of strings");
    }

    @Test
    void answersNothingWhenClosed() {
        redis.close();
        assertThatThrownBy(() -> run("TIME")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void servesManyThreads() throws Exception {
        int threads = 4;
        int each = 500;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            Callable<Object> work = () -> {
                try (SimulatedRedis own = SimulatedRedis.create(clock)) {
                    for (int i = 0; i < each; i++) {
                        script("return redis.call('HINCRBY', KEYS[1], 'n', 1)");
                        own.execute(List.of("EVAL", "return redis.call('INCR', KEYS[1])", "1", "own"));
                    }
                    return own.execute(List.of("GET", "own"));
                }
            };
            for (Future<Object> done : pool.invokeAll(Collections.nCopies(threads, work))) {
                assertThat(done.get()).isEqualTo(Integer.toString(each));
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(redis.hash(KEY)).containsEntry("n", Integer.toString(threads * each));
    }

    @Test
    void aConnectionThatReadAKeyIsToldOfItsNextChangeByAnother() {
        List<String> told = new ArrayList<>();
        Consumer<String> connection = told::add;
        run("HSET", KEY, "f", "1");
        redis.track(List.of(KEY), connection);
        assertThat(told).isEmpty();
        run("HSET", KEY, "f", "2");
        assertThat(told).containsExactly(KEY);
        run("DEL", KEY);
        assertThat(told).as("only once, until it is read again").hasSize(1);
        redis.track(List.of(KEY), connection);
        run("HSET", KEY, "f", "3");
        redis.track(List.of(KEY), connection);
        redis.evict(KEY);
        assertThat(told).hasSize(3);
    }

    @Test
    void aWriteOfTheConnectionItselfIsNotToldAndEndsTheTracking() {
        List<String> told = new ArrayList<>();
        Consumer<String> connection = told::add;
        Script write = new Script("write", "redis.call('HSET', KEYS[1], 'f', '1') return {'ok'}", "0");
        redis.track(List.of(KEY), connection);
        redis.eval(new ScriptCall(write, List.of(KEY), List.of(), 0), connection);
        run("HSET", KEY, "f", "2");
        assertThat(told).isEmpty();
        redis.track(List.of(KEY), connection);
        run("FLUSHALL");
        assertThat(told).containsExactly(KEY);
    }

    @Test
    void aConnectionThatHasEndedIsToldNothing() {
        List<String> told = new ArrayList<>();
        Consumer<String> connection = told::add;
        redis.track(List.of(KEY), connection);
        redis.untrack(connection);
        run("HSET", KEY, "f", "1");
        redis.track(List.of(KEY), connection);
        redis.restart(true);
        run("HSET", KEY, "f", "2");
        assertThat(told).isEmpty();
    }
}
