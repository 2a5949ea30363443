package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the streams and the actions of the console deliver. */
@WithRedis
class ConsoleServerIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Markup, a bell, a mark that reverses the reading direction, and a backslash. */
    private static final String HOSTILE = "<script>alert(1)</script>\u0007\u202E\\b";

    private static final String SHOWN = "<script>alert(1)</script>\\u0007\\u202e\\\\b";

    private EmbeddedRedis redis;
    private Leasehold leasehold;
    private Leasehold other;
    private Console console;
    private ConsoleServer server;
    private String cookie;

    @BeforeEach
    void start(EmbeddedRedis running) throws Exception {
        redis = running;
        leasehold = Leasehold.connect(redis.uri());
        other = Leasehold.connect(redis.uri());
        serve(true);
    }

    private void serve(boolean openActions) throws Exception {
        console = Console.over(leasehold, redis.uri());
        server = ConsoleServer.start(console, 0, openActions);
        cookie = RawRequest.session(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
        console.close();
        other.close();
        leasehold.close();
    }

    private Events watch(String query) {
        return Events.open(server.uri(), cookie, query);
    }

    private URI uri() {
        return server.uri();
    }

    @Test
    void showsALockWithItsHolderWithinARefresh() throws InterruptedException {
        try (Events events = watch("screen=now")) {
            JsonNode empty = events.until(state -> state.get("status").asText().equals("live"));
            assertThat(empty.get("locks")).isEmpty();
            Lease lease = other.lock("order-17")
                    .with(LockOptions.builder().label("trace 1").build())
                    .acquire();
            JsonNode state = events.until(now -> now.get("held").asInt() == 1);
            JsonNode lock = state.get("locks").get(0);
            assertThat(lock.get("name").asText()).isEqualTo("order-17");
            assertThat(lock.get("pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(lock.get("thread").asText())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(lock.get("label").asText()).isEqualTo("trace 1");
            assertThat(lock.get("token").asText()).isEqualTo(Long.toString(lease.fencingToken()));
            assertThat(lock.get("leftMillis").asLong()).isBetween(1L, 30_000L);
            assertThat(lock.get("leaseMillis").asLong())
                    .isGreaterThanOrEqualTo(lock.get("leftMillis").asLong());
            lease.release();
            events.until(now -> now.get("held").asInt() == 0);
        }
    }

    @Test
    void listsTheOldestFirstAndSearchesNames() throws InterruptedException {
        for (String name : new String[] {"b-first", "a-second", "c-third"}) {
            other.lock(name).acquire();
        }
        try (Events events = watch("screen=now")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 3);
            assertThat(state.get("locks").findValuesAsText("name")).containsExactly("b-first", "a-second", "c-third");
        }
        try (Events events = watch("screen=now&search=SEC")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 3);
            assertThat(state.get("matching").asInt()).isEqualTo(1);
            assertThat(state.get("locks").findValuesAsText("name")).containsExactly("a-second");
        }
    }

    @Test
    void escapesHostileNamesAndFindsThemByTheirEscapes() throws InterruptedException {
        other.lock(HOSTILE).ownedBy("owner\n\u202E").acquire();
        try (Events events = watch("screen=now&search=%5Cu202e")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 1);
            JsonNode lock = state.get("locks").get(0);
            assertThat(lock.get("shown").asText()).isEqualTo(SHOWN);
            assertThat(lock.get("name").asText()).isEqualTo(HOSTILE);
            assertThat(lock.get("owner").asText()).isEqualTo("owner\\u000a\\u202e");
        }
    }

    @Test
    void showsTheQueueOfALockAndItsTenures() throws InterruptedException {
        Lease first = other.lock("job").acquire();
        CompletableFuture<Lease> waiter = leasehold.lock("job").acquireAsync().toCompletableFuture();
        try (Events events = watch("screen=lock&name=job")) {
            JsonNode state = events.until(now -> now.path("queue").size() == 1);
            JsonNode place = state.get("queue").get(0);
            assertThat(place.get("position").asInt()).isEqualTo(1);
            assertThat(place.get("wants").asText()).isEqualTo("lock");
            assertThat(place.get("pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(place.get("alive").asBoolean()).isTrue();
            first.release();
            JsonNode after = events.until(now -> now.get("tenures").size() == 2);
            assertThat(after.get("tenures").get(0).get("token").asText())
                    .isEqualTo(Long.toString(waiter.join().fencingToken()));
            assertThat(after.get("tenures").get(0).get("held").asBoolean()).isTrue();
            assertThat(after.get("tenures").get(1).get("held").asBoolean()).isFalse();
            waiter.join().release();
            assertThat(events.until(now -> now.get("lock").isNull())
                            .get("tenures")
                            .get(0)
                            .get("held")
                            .asBoolean())
                    .isFalse();
        }
    }

    @Test
    void tellsHowBusyANameIs() throws InterruptedException {
        try (Events events = watch("screen=heat")) {
            events.until(state -> state.get("status").asText().equals("live"));
            Lease first = other.lock("busy").acquire();
            CompletableFuture<Lease> waiter =
                    leasehold.lock("busy").acquireAsync().toCompletableFuture();
            JsonNode waiting = events.until(
                    state -> state.get("heat").path(0).path("waiting").asInt() == 1);
            assertThat(waiting.get("heat").get(0).get("longestWaitMillis").asLong())
                    .isNotNegative();
            assertThat(waiting.get("heat").get(0).get("medianWaitMillis").asLong())
                    .isEqualTo(waiting.get("heat").get(0).get("tailWaitMillis").asLong());
            first.release();
            JsonNode heat = events.until(
                            state -> state.get("heat").path(0).path("handOffs").asDouble() > 0)
                    .get("heat")
                    .get(0);
            assertThat(heat.get("share").asDouble()).isBetween(0.01, 1.0);
            waiter.join().release();
        }
    }

    @Test
    void showsWhoWaitsForWhomAndTheDeadlock() throws InterruptedException {
        Thread one = acquiring("one", "a", "b");
        Thread two = acquiring("two", "b", "a");
        try (Events events = watch("screen=waits")) {
            JsonNode state = events.until(now -> now.get("deadlocks").size() == 1);
            assertThat(state.get("waiting").asInt()).isEqualTo(2);
            assertThat(state.get("deadlocks").get(0).get("certain").asBoolean()).isTrue();
            assertThat(state.get("deadlocks").get(0).get("stacks")).hasSize(2);
            assertThat(state.get("parties").findValuesAsText("thread")).containsExactlyInAnyOrder("one", "two");
            assertThat(state.get("waits")).allSatisfy(wait -> {
                int waiter = wait.get("waiter").asInt();
                assertThat(wait.get("holders").get(0).asInt()).isEqualTo(1 - waiter);
                assertThat(wait.get("deadlock").asInt()).isZero();
                String thread = state.get("parties").get(waiter).get("thread").asText();
                assertThat(wait.get("name").asText()).isEqualTo(thread.equals("one") ? "b" : "a");
            });
            one.interrupt();
            assertThat(events.until(now -> now.get("waiting").asInt() == 1).get("deadlocks"))
                    .isEmpty();
        } finally {
            one.interrupt();
            two.interrupt();
        }
    }

    /** Starts a thread that holds one lock and waits for another, which is held when this returns. */
    private Thread acquiring(String name, String held, String wanted) throws InterruptedException {
        CountDownLatch holds = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        other.lock(held).acquire();
                        holds.countDown();
                        await().atMost(LIMIT)
                                .until(() -> leasehold.inspector().find(wanted).isPresent());
                        other.lock(wanted).acquire();
                    } catch (InterruptedException e) {
                        // The test ends.
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
        holds.await();
        return thread;
    }

    @Test
    void showsWhatTheChecksOfTheServersFind() {
        try (Events events = watch("screen=servers")) {
            JsonNode state = events.until(now -> now.get("status").asText().equals("live"));
            assertThat(state.get("findings").findValuesAsText("subject")).contains("maxmemory-policy");
            assertThat(state.get("findings").findValuesAsText("level")).contains("fine");
        }
    }

    @Test
    void keepsTheLastStateWhileRedisIsGoneAndRecovers() throws InterruptedException {
        other.lock("kept")
                .with(LockOptions.builder().leaseTime(Duration.ofMinutes(5)).build())
                .acquire();
        try (Events events = watch("screen=now")) {
            events.until(state -> state.get("held").asInt() == 1);
            redis.pause();
            JsonNode gone = events.until(state -> state.get("status").asText().equals("gone"));
            assertThat(gone.get("locks").findValuesAsText("name")).containsExactly("kept");
            assertThat(gone.get("ageMillis").asLong()).isPositive();
            assertThat(gone.get("problem").asText()).isNotEmpty();
            redis.resume();
            assertThat(events.until(state -> state.get("status").asText().equals("live"))
                            .get("problem")
                            .asText())
                    .isEmpty();
        }
    }

    @Test
    void readsRedisOnlyWhileSomebodyWatches() {
        try (Events events = watch("screen=now")) {
            events.until(state -> state.get("status").asText().equals("live"));
        }
        // The stream notices at its next event that the browser is gone.
        AtomicLong last = new AtomicLong();
        await().atMost(LIMIT).during(Duration.ofSeconds(3)).until(() -> {
            long now = scans();
            return last.getAndSet(now) == now;
        });
    }

    private long scans() {
        return redis.commandCounts().getOrDefault("scan", 0L);
    }

    @Test
    void allBrowsersShareOneRefresh() {
        try (Events first = watch("screen=now");
                Events second = watch("screen=now");
                Events third = watch("screen=heat")) {
            first.until(state -> state.get("status").asText().equals("live"));
            second.until(state -> state.get("status").asText().equals("live"));
            third.until(state -> state.get("status").asText().equals("live"));
            redis.resetStats();
            long start = System.nanoTime();
            while (secondsSince(start) < 4) {
                first.next();
            }
            // A refresh for each browser would read three times a second. A slow machine reads less often.
            long scans = scans();
            assertThat(scans).isBetween(1L, secondsSince(start) + 2);
        }
    }

    private static long secondsSince(long start) {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    }

    @Test
    void showsAboutTheCommandsThatItSends() throws InterruptedException {
        // Leases that are not renewed meanwhile.
        LockOptions longest =
                LockOptions.builder().leaseTime(Duration.ofMinutes(5)).build();
        for (int i = 0; i < 480; i++) {
            other.lock("lock-" + i).with(longest).acquire();
        }
        try (Events events = watch("screen=now")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 480);
            double shown = state.get("commandsPerSecond").asDouble()
                    * state.get("refreshMillis").asLong()
                    / 1000;
            redis.resetStats();
            for (int refresh = 0; refresh < 4; refresh++) {
                events.next();
            }
            Map<String, Long> sent = redis.commandCounts();
            long calls = sent.getOrDefault("evalsha", 0L)
                    + sent.getOrDefault("eval", 0L)
                    + scans()
                    + sent.getOrDefault("info", 0L);
            assertThat(calls / (double) scans()).as("%s", sent).isCloseTo(shown, withinPercentage(10));
        }
    }

    @Test
    void asksTheHolderToRelease() throws InterruptedException {
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        Lease lease = other.lock(HOSTILE)
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(15)).build())
                .acquire();
        lease.onReleaseRequested(request -> asked.complete(true));
        try (LogLines log = LogLines.of("dev.leasehold.console.actions")) {
            RawRequest.Response response = act("request-release", HOSTILE, SHOWN, "deploy\n\u202Efake");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).contains("\"done\"");
            assertThat(log.lines())
                    .containsExactly(
                            "Console: ask to release lock '" + SHOWN + "', reason: 'deploy\\u000a\\u202efake'",
                            "Console: ask to release lock '" + SHOWN + "': done");
        }
        assertThat(asked).succeedsWithin(LIMIT);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void takesALockAway() throws InterruptedException {
        other.lock("job").acquire();
        try (LogLines log = LogLines.of("dev.leasehold.console.actions")) {
            assertThat(act("take-away", "job", "job", "the holder hangs").body())
                    .contains("\"done\"");
            assertThat(log.lines().get(0)).isEqualTo("Console: take away lock 'job', reason: 'the holder hangs'");
        }
        assertThat(other.inspector().find("job")).isEmpty();
        assertThat(act("take-away", "job", "job", "again").body()).contains("\"free\"");
    }

    @Test
    void requiresTheNameTypedInAndAReason() throws InterruptedException {
        other.lock("job").acquire();
        assertThat(act("take-away", "job", "jop", "test").status()).isEqualTo(400);
        assertThat(act("take-away", "job", "", "test").status()).isEqualTo(400);
        assertThat(act("take-away", "job", "job", "  ").status()).isEqualTo(400);
        assertThat(act("no-such-action", "job", "job", "test").status()).isEqualTo(404);
        for (String body : new String[] {"", "[]", "{\"name\":{}}", "{\"name\":1}", "{\"name\":\"job\"", "{} {}"}) {
            assertThat(RawRequest.post(uri(), "/api/actions/take-away", body)
                            .cookie(cookie)
                            .send()
                            .status())
                    .isEqualTo(400);
        }
        assertThat(other.inspector().find("job")).isPresent();
    }

    @Test
    void offersNoActionsUnlessTheyAreOpen() throws Exception {
        other.lock("job").acquire();
        server.close();
        console.close();
        serve(false);
        assertThat(act("take-away", "job", "job", "test").status()).isEqualTo(403);
        assertThat(act("request-release", "job", "job", "test").status()).isEqualTo(403);
        assertThat(other.inspector().find("job")).isPresent();
        try (Events events = watch("screen=now")) {
            assertThat(events.next().get("openActions").asBoolean()).isFalse();
        }
    }

    private RawRequest.Response act(String action, String name, String typed, String reason) {
        try {
            String body = new ObjectMapper().writeValueAsString(Map.of("name", name, "typed", typed, "reason", reason));
            return RawRequest.post(uri(), "/api/actions/" + action, body)
                    .cookie(cookie)
                    .send();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
