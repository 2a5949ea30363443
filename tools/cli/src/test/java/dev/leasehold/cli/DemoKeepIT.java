package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code demo --keep}: locks of several processes, for other commands to show. */
@Tag("nightly")
class DemoKeepIT {

    private static final Pattern SERVER = Pattern.compile("export LEASEHOLD_REDIS='(\\S+)'\n");
    private static final Pattern LS = Pattern.compile("leasehold ls --waiting(?: --prefix (\\S+))?\n");

    @Test
    void keepsLocksAndWaitersInAGivenRedisAndLeavesNothingBehind() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                CliProcess demo = CliProcess.start("demo", "--keep", "--redis", redis.uri())) {
            String[] ls = printedOptions(demo, redis.uri());
            assertThat(ls).contains("--prefix");
            assertThat(demo.out()).contains("with the same --redis:").doesNotContain("LEASEHOLD_REDIS");
            awaitQueues(ls);
            assertHandedOverFromProcessToProcess(ls);
            assertTransfersDeadlocked(ls);
            List<ProcessHandle> processes = demo.handle().children().toList();
            assertThat(processes).hasSize(4);
            CliProcess.signal("TERM", demo.handle());
            assertThat(demo.exitCode()).isEqualTo(128 + 15);
            assertThat(processes).noneMatch(ProcessHandle::isAlive);
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
            assertThat(demo.err()).isEmpty();
        }
    }

    @Test
    void endsAfterItsTime() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                CliProcess demo = CliProcess.run("demo", "--keep=100ms", "--redis", redis.uri())) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out()).contains("for 100 ms");
            assertThat(demo.err()).isEmpty();
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    /** On a Redis of its own it uses the prefix of all commands, so that the variable is enough. */
    @Test
    void startsARedisOfItsOwn() {
        try (CliProcess demo = CliProcess.start("demo", "--keep")) {
            demo.awaitOut("leasehold console\n");
            Matcher server = SERVER.matcher(demo.out());
            assertThat(server.find()).as(demo.out()).isTrue();
            assertThat(server.group(1)).matches("redis://:[0-9a-f]{32}@127\\.0\\.0\\.1:\\d+");
            CliResult stranger = CliResult.of("ls", "--redis", server.group(1).replaceFirst("//.*@", "//"));
            assertThat(stranger.exitCode()).isEqualTo(69);
            stranger.assertOneLineError("NOAUTH");
            String[] ls = printedOptions(demo, server.group(1));
            assertThat(ls).doesNotContain("--prefix");
            awaitQueues(ls);
            CliProcess.signal("TERM", demo.handle());
            assertThat(demo.exitCode()).isEqualTo(128 + 15);
        }
    }

    private static String[] printedOptions(CliProcess demo, String uri) {
        demo.awaitOut("leasehold console");
        Matcher printed = LS.matcher(demo.out());
        assertThat(printed.find()).as(demo.out()).isTrue();
        return printed.group(1) == null
                ? new String[] {"ls", "--json", "--redis", uri}
                : new String[] {"ls", "--json", "--redis", uri, "--prefix", printed.group(1)};
    }

    private static void awaitQueues(String... ls) {
        await().atMost(CliProcess.LIMIT).untilAsserted(() -> {
            assertLock(ls, "price-feed", "lock", 1);
            assertLock(ls, "nightly-report", "lock", 1, "lock", "lock", "lock");
            assertLock(ls, "catalog", "readers", 2, "lock");
            assertLock(ls, "downloads", "semaphore", 2, "permits");
            assertThat(lock(ls, "order-42").get("waiters").size()).isPositive();
        });
    }

    private static void assertLock(String[] ls, String name, String kind, int holds, String... wants) {
        JsonNode lock = lock(ls, name);
        assertThat(lock.get("kind").asText()).isEqualTo(kind);
        assertThat(lock.get("holds").asInt()).isEqualTo(holds);
        assertThat(lock.get("waiters"))
                .extracting(waiter -> waiter.get("wants").asText())
                .containsExactly(wants);
    }

    private static void assertHandedOverFromProcessToProcess(String... ls) {
        Set<Long> holders = new HashSet<>();
        await().atMost(CliProcess.LIMIT).until(() -> {
            // Free for a moment at each hand-off.
            find(ls, "order-42").ifPresent(lock -> holders.add(lock.get("pid").asLong()));
            return holders.size() == 3;
        });
    }

    private static void assertTransfersDeadlocked(String... ls) {
        String[] deadlocks = ls.clone();
        deadlocks[0] = "deadlocks";
        await().atMost(CliProcess.LIMIT).untilAsserted(() -> {
            JsonNode found = new ObjectMapper().readTree(CliResult.of(deadlocks).out());
            assertThat(found).hasSize(1);
            assertThat(found.findValuesAsText("lock")).contains("account-17", "account-42");
        });
    }

    private static JsonNode lock(String[] ls, String name) {
        return find(ls, name).orElseThrow(() -> new AssertionError(name + " is not held"));
    }

    private static Optional<JsonNode> find(String[] ls, String name) {
        try {
            JsonNode locks = new ObjectMapper().readTree(CliResult.of(ls).out());
            return StreamSupport.stream(locks.spliterator(), false)
                    .filter(lock -> lock.get("name").asText().equals(name))
                    .findFirst();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
