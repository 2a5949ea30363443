package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The actions of the console. */
class ConsoleActionsIT extends ServedConsole {

    @Test
    void asksTheHolderToRelease() throws InterruptedException {
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        // The next renewal delivers the request.
        Lease lease = other.lock(HOSTILE)
                .with(LockOptions.builder().renewal(Renewal.afterRatio(0.02)).build())
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
        assertThat(other.lock("job").inspect()).isEmpty();
        assertThat(act("take-away", "job", "job", "again").body()).contains("\"free\"");
    }

    @Test
    void takesTheLockAwayOnlyFromTheHolderThatTheUserSaw() throws InterruptedException {
        Lease lease = other.lock("job").acquire();
        Map<String, String> seen = Map.of("name", "job", "typed", "job", "reason", "it hangs");
        assertThat(act("take-away", with(seen, Long.toString(lease.fencingToken() - 1)))
                        .body())
                .contains("\"free\"");
        assertThat(act("take-away", with(seen, "-")).status()).isEqualTo(400);
        assertThat(other.lock("job").inspect()).isPresent();
        assertThat(act("take-away", with(seen, Long.toString(lease.fencingToken())))
                        .body())
                .contains("\"done\"");
        assertThat(other.lock("job").inspect()).isEmpty();
    }

    private static Map<String, String> with(Map<String, String> texts, String token) {
        Map<String, String> all = new HashMap<>(texts);
        all.put("token", token);
        return all;
    }

    @Test
    void requiresTheNameTypedInAndAReason() throws InterruptedException {
        other.lock("job").acquire();
        assertThat(act("take-away", "job", "jop", "test").status()).isEqualTo(400);
        assertThat(act("take-away", "job", "", "test").status()).isEqualTo(400);
        assertThat(act("take-away", "job", "job", "  ").status()).isEqualTo(400);
        assertThat(act("no-such-action", "job", "job", "test").status()).isEqualTo(404);
        for (String body : new String[] {"", "[]", "{\"name\":{}}", "{\"name\":1}", "{\"name\":\"job\"", "{} {}"}) {
            assertThat(RawRequest.post(server.uri(), "/api/actions/take-away", body)
                            .cookie(cookie)
                            .send()
                            .status())
                    .isEqualTo(400);
        }
        assertThat(other.lock("job").inspect()).isPresent();
    }

    @Test
    void offersNoActionsUnlessTheyAreOpen() throws Exception {
        other.lock("job").acquire();
        server.close();
        console.close();
        serve(false);
        assertThat(act("take-away", "job", "job", "test").status()).isEqualTo(403);
        assertThat(act("request-release", "job", "job", "test").status()).isEqualTo(403);
        assertThat(other.lock("job").inspect()).isPresent();
        try (Events events = watch("screen=now")) {
            assertThat(events.next().get("openActions").asBoolean()).isFalse();
        }
    }

    private RawRequest.Response act(String action, String name, String typed, String reason) {
        return act(action, Map.of("name", name, "typed", typed, "reason", reason));
    }

    private RawRequest.Response act(String action, Map<String, String> texts) {
        try {
            String body = new ObjectMapper().writeValueAsString(texts);
            return RawRequest.post(server.uri(), "/api/actions/" + action, body)
                    .cookie(cookie)
                    .send();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
