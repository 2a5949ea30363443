package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedQuorum;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console of a cluster and of a quorum. */
@Tag("full")
class ConsoleTopologiesIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the first state of a screen that has the property. */
    private static JsonNode state(Console console, String screen, Predicate<JsonNode> property) throws Exception {
        try (ConsoleStream stream = console.watch(Map.of("screen", screen), ConsoleSession.unnamed(false))
                .orElseThrow()) {
            JsonNode state;
            do {
                state = JSON.readTree(stream.next(LIMIT).orElseThrow());
            } while (!property.test(state));
            return state;
        }
    }

    @Test
    void showsLocksAndWaitersOfAllPartsOfACluster() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start();
                Leasehold leasehold = Leasehold.connect(cluster.uri());
                Leasehold other = Leasehold.connect(cluster.uri());
                Console console = Console.over(leasehold)) {
            for (int i = 0; i < 9; i++) {
                leasehold.lock("lock-" + i).acquire();
            }
            CompletableFuture<Lease> waiter =
                    other.lock("lock-0").acquireAsync().toCompletableFuture();
            state(
                    console,
                    "now",
                    now -> now.get("held").asInt() == 9 && now.get("waiting").asInt() == 1);
            JsonNode waits = state(console, "waits", now -> now.get("waiting").asInt() == 1);
            assertThat(waits.get("waits").get(0).get("name").asText()).isEqualTo("lock-0");
            waiter.cancel(false);
        }
    }

    @Test
    void showsLocksOfAQuorumWhichHasNoQueue() throws Exception {
        try (EmbeddedQuorum quorum = EmbeddedQuorum.start();
                Leasehold leasehold = Leasehold.builder()
                        .quorum(quorum.uris().toArray(String[]::new))
                        .build();
                Console console = Console.over(leasehold)) {
            quorum.letCount();
            leasehold.lock("draw").acquire();
            JsonNode now = state(console, "now", state -> state.get("held").asInt() == 1);
            assertThat(now.get("locks").get(0).get("name").asText()).isEqualTo("draw");
            JsonNode waits = state(
                    console, "waits", state -> !state.get("status").asText().equals("loading"));
            assertThat(waits.get("status").asText()).isEqualTo("unsupported");
            assertThat(waits.get("problem").asText()).contains("its servers keep no queue");
        }
    }
}
