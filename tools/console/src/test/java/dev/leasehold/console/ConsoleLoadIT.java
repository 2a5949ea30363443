package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the console costs Redis, and what it does without it. */
class ConsoleLoadIT extends ServedConsole {

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
        await().atMost(LIMIT).during(Duration.ofSeconds(2)).until(() -> {
            long now = scans();
            return last.getAndSet(now) == now;
        });
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
            int refreshes = 3;
            for (int refresh = 0; refresh < refreshes; refresh++) {
                third.next();
            }
            // A refresh for each browser would read three times as often.
            assertThat(scans()).isBetween(1L, refreshes + 2L);
        }
    }

    @Test
    void showsAboutTheCommandsThatItSends() throws InterruptedException {
        LockOptions unrenewed = LockOptions.builder()
                .leaseTime(Duration.ofMinutes(5))
                .renewal(Renewal.none())
                .build();
        for (int i = 0; i < 480; i++) {
            other.lock("lock-" + i).with(unrenewed).acquire();
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

    private long scans() {
        return redis.commandCounts().getOrDefault("scan", 0L);
    }
}
