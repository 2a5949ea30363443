package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Leasehold;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeadlocksIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

    /** Clears the screen, and forges a line. */
    private static final String HOSTILE = "a\u001b[2J\nroot";

    private static final String SHOWN = "a\\u001b[2J\\u000aroot";

    private final CountDownLatch both = new CountDownLatch(2);
    private Leasehold leasehold;

    @BeforeEach
    void connect() {
        leasehold = Leasehold.builder().uri(REDIS.uri()).shareStacks(true).build();
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    /** Takes both locks, in a thread that ends when the client is closed. */
    private void takes(String thread, String first, String second) {
        Thread taker = new Thread(
                () -> {
                    try {
                        assertThat(leasehold.lock(first).acquire().isHeld()).isTrue();
                        both.countDown();
                        both.await();
                        assertThat(leasehold.lock(second).acquire().isHeld()).isFalse();
                    } catch (InterruptedException | IllegalStateException closed) {
                        Thread.currentThread().interrupt();
                    }
                },
                thread);
        taker.setDaemon(true);
        taker.start();
    }

    private static CliResult cli(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--redis";
        all[args.length + 1] = REDIS.uri();
        return CliResult.of(all);
    }

    @Test
    void saysThatThereIsNone() throws Exception {
        CliResult none = cli("deadlocks");
        assertThat(none.exitCode()).isZero();
        assertThat(none.out()).isEqualTo("No deadlock.\n");
        assertThat(new ObjectMapper().readTree(cli("deadlocks", "--json").out()))
                .isEmpty();
    }

    @Test
    void showsWhoWaitsForWhomEscapedAndExitsWithOne() throws Exception {
        takes("taker\u001b[2J", HOSTILE, "other");
        takes("second", "other", HOSTILE);
        await().atMost(Duration.ofSeconds(20))
                .pollInSameThread()
                .until(() -> cli("deadlocks").exitCode() == 1);
        CliResult found = cli("deadlocks", "--stacks");
        assertThat(found.exitCode()).isEqualTo(1);
        long pid = ProcessHandle.current().pid();
        assertThat(found.out())
                .startsWith("Deadlock:\n  thread ")
                .contains("thread second (", " of process " + pid + " on ", " waits for " + SHOWN + "\n")
                .contains("  thread taker\\u001b[2J (", " waits for other\n", "    held by thread ")
                .contains("      at ", DeadlocksIT.class.getName())
                .doesNotContain("\u001b");
        JsonNode json = new ObjectMapper().readTree(cli("deadlocks", "--json").out());
        assertThat(json).hasSize(1);
        assertThat(json.get(0).get("certain").asBoolean()).isTrue();
        JsonNode waits = json.get(0).get("waits");
        assertThat(waits).hasSize(2).allSatisfy(wait -> {
            assertThat(wait.get("wants").asText()).isEqualTo("LOCK");
            assertThat(wait.get("since").asText()).isNotEmpty();
            assertThat(wait.get("waiter").get("threadId").asLong()).isPositive();
            assertThat(wait.get("holders")).hasSize(1);
            assertThat(wait.get("stack")).isNotEmpty();
        });
        assertThat(waits).extracting(wait -> wait.get("lock").asText()).containsExactlyInAnyOrder(HOSTILE, "other");
    }
}
