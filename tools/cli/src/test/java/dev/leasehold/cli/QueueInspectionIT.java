package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Acquirable;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.recipes.Latches;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code show} and {@code ls} print about the queues of locks. */
class QueueInspectionIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

    private static final String HOSTILE = "a\u001b[2J\nroot\u202E\\b";

    private final List<Leasehold> clients = new ArrayList<>();
    private final List<Thread> waiters = new ArrayList<>();
    private Leasehold leasehold;

    @BeforeEach
    void connect() {
        leasehold = client();
    }

    @AfterEach
    void close() throws InterruptedException {
        for (Thread waiter : waiters) {
            waiter.interrupt();
            waiter.join();
        }
        clients.forEach(Leasehold::close);
    }

    @Test
    void showsTheQueueBelowTheHolder() throws Exception {
        leasehold.lock("order-17").ownedBy("holder").acquire();
        assertThat(cli("show", "order-17").out()).doesNotContain("POSITION");
        waitFor("order-17", client().lock("order-17"));
        waitFor("order-17", client().lock("order-17").ownedBy(HOSTILE));
        String[] lines = cli("show", "order-17").out().split("\n");
        int header = Arrays.asList(lines).indexOf("") + 1;
        assertThat(header).isGreaterThan(1);
        assertThat(lines[header].split(" +"))
                .containsExactly("POSITION", "WANTS", "OWNER", "HOST", "PID", "THREAD", "SINCE", "STATE");
        String pid = String.valueOf(ProcessHandle.current().pid());
        assertThat(lines[header + 1].split(" +")).startsWith("1", "lock", "-").contains(pid, "worker");
        assertThat(lines[header + 2]).startsWith("2         lock   a\\u001b[2J\\u000aroot\\u202e\\\\b  ");
        assertThat(lines).hasSize(header + 3);
        assertThat(String.join("\n", lines)).doesNotContain("\u001b", "\u202E");
    }

    @Test
    void showsWhatWaitersWant() throws Exception {
        leasehold.readWriteLock("catalog").writeLock().acquire();
        waitFor("catalog", client().readWriteLock("catalog").readLock());
        assertThat(cli("show", "catalog").out().lines()).anyMatch(line -> line.matches("1 +read  .*"));
        leasehold.semaphore("downloads", 3).atOnce(3).acquire();
        waitFor("downloads", client().semaphore("downloads", 3).atOnce(2));
        waitFor("downloads", client().semaphore("downloads", 3));
        assertThat(cli("show", "downloads").out().lines())
                .anyMatch(line -> line.matches("1 +2 permits  .*"))
                .anyMatch(line -> line.matches("2 +1 permit  .*"));
    }

    /** Redis knows of a waiter that was killed only that it polls no more. */
    @Test
    void aWaiterThatPollsNoMoreIsDead() throws Exception {
        leasehold.lock("job").acquire();
        try (CliProcess waiter = CliProcess.runJob(REDIS.uri(), "true")) {
            awaitWaiters("job", 1);
            waiter.handle().destroyForcibly();
            waiter.handle().onExit().join();
            letTenSecondsPassSinceThePollOfTheOnlyWaiter("leasehold:{job}");
            await().atMost(CliProcess.LIMIT)
                    .untilAsserted(() -> assertThat(cli("show", "job").out()).endsWith("  dead\n"));
        }
        assertThat(json(cli("show", "job", "--json"))
                        .get("waiters")
                        .get(0)
                        .get("alive")
                        .asBoolean())
                .isFalse();
        assertThat(cli("ls", "--waiting").out()).isEqualTo("No lock has waiters.\n");
        assertThat(cli("top").out()).contains("1 held, 0 waiting");
    }

    @Test
    void hasTheQueueInJson() throws Exception {
        leasehold.lock("order-17").acquire();
        leasehold.lock("free-of-waiters").acquire();
        waitFor("order-17", client().lock("order-17").ownedBy("billing"));
        JsonNode shown = json(cli("show", "order-17", "--json")).get("waiters");
        assertThat(shown).hasSize(1);
        JsonNode waiter = shown.get(0);
        assertThat(waiter.get("position").asInt()).isEqualTo(1);
        assertThat(waiter.get("wants").asText()).isEqualTo("lock");
        assertThat(waiter.get("permits").asInt()).isZero();
        assertThat(waiter.get("owner").asText()).isEqualTo("billing");
        assertThat(waiter.get("host").asText()).isNotEmpty();
        assertThat(waiter.get("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(waiter.get("thread").asText()).isEqualTo("worker");
        assertThat(Instant.parse(waiter.get("since").asText()))
                .isBefore(Instant.now().plusSeconds(1));
        assertThat(waiter.get("alive").asBoolean()).isTrue();
        JsonNode listed = json(cli("ls", "--json"));
        assertThat(listed.get(0).get("waiters")).isEmpty();
        assertThat(listed.get(1).get("waiters")).isEqualTo(shown);
        JsonNode waiting = json(cli("ls", "--json", "--waiting"));
        assertThat(waiting).hasSize(1);
        assertThat(waiting.get(0).get("name").asText()).isEqualTo("order-17");
    }

    @Test
    void listsOnlyTheLocksThatSomebodyWaitsFor() throws Exception {
        Latches.of(leasehold).latch("start").trySet(1, Duration.ofMinutes(5));
        leasehold.lock("a-free").acquire();
        leasehold.lock("b-busy").acquire();
        assertThat(cli("ls", "--waiting").out()).isEqualTo("No lock has waiters.\n");
        waitFor("b-busy", client().lock("b-busy"));
        waitFor("b-busy", client().lock("b-busy"));
        String[] lines = cli("ls", "--waiting").out().split("\n");
        assertThat(lines).hasSize(2);
        assertThat(lines[0]).endsWith("HOLDS  WAITING  LONGEST WAIT");
        assertThat(lines[1]).startsWith("b-busy  lock  ").matches(".*  1      2        [0-9.]+ (ms|s)");
    }

    @Test
    void listsInTheOrderThatIsAskedFor() throws Exception {
        leasehold.lock("c").acquire();
        leasehold.lock("b").acquire();
        leasehold.lock("a").acquire();
        waitFor("b", client().lock("b"));
        assertThat(names("ls")).containsExactly("a", "b", "c");
        assertThat(names("ls", "--sort", "age")).containsExactly("c", "b", "a");
        assertThat(names("ls", "--sort", "WAITING")).containsExactly("b", "a", "c");
        assertThat(cli("ls", "--sort", "waiting").out()).contains("LONGEST WAIT");
        assertThat(names("ls", "--sort", "left")).containsExactlyInAnyOrder("a", "b", "c");
    }

    /** As Redis has the waiter then: each poll stores its time. */
    private static void letTenSecondsPassSinceThePollOfTheOnlyWaiter(String key) {
        EmbeddedRedis redis = REDIS.server();
        String field = ((List<?>) redis.command("HKEYS", key))
                .stream()
                        .map(String::valueOf)
                        .filter(each -> each.startsWith("q:"))
                        .findFirst()
                        .orElseThrow();
        String[] waiter = String.valueOf(redis.command("HGET", key, field)).split(":", 2);
        redis.command("HSET", key, field, Long.parseLong(waiter[0]) - 10_000_000 + ":" + waiter[1]);
    }

    private Leasehold client() {
        Leasehold client = Leasehold.connect(REDIS.uri());
        clients.add(client);
        return client;
    }

    /** Begins to wait on a thread of its own, which the end of the test interrupts. */
    private void waitFor(String name, Acquirable<Lease> lock) {
        int before = leasehold.lock(name).inspect().orElseThrow().waiters().size();
        Thread waiter =
                new Thread(() -> assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class), "worker");
        waiter.start();
        waiters.add(waiter);
        awaitWaiters(name, before + 1);
    }

    private void awaitWaiters(String name, int count) {
        await().atMost(CliProcess.LIMIT)
                .until(() ->
                        leasehold.lock(name).inspect().orElseThrow().waiters().size() == count);
    }

    private static List<String> names(String command, String... args) {
        return cli(command, args)
                .out()
                .lines()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private static CliResult cli(String command, String... args) {
        CliResult result = CliResult.of(Stream.concat(Stream.of(command, "--redis", REDIS.uri()), Arrays.stream(args))
                .toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private static JsonNode json(CliResult cli) {
        try {
            return new ObjectMapper().readTree(cli.out());
        } catch (IOException e) {
            throw new IllegalArgumentException(cli.out() + cli.err(), e);
        }
    }
}
