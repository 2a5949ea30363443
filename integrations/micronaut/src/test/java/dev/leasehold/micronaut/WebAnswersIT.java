package dev.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.Lock;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server answers to requests that do not get their lock. */
@WithRedis
class WebAnswersIT {

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedRedis redis;

    WebAnswersIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Controller("/orders")
    @Requires(property = "orders")
    static class Orders {
        private final Leasehold leasehold;

        Orders(Leasehold leasehold) {
            this.leasehold = leasehold;
        }

        @Lock("secret-order:#{#id}")
        @Get("/{id}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        public String pay(String id) {
            return "paid";
        }

        /** Someone takes the lock away while it works. */
        @Lock("secret-order:#{#id}")
        @Get("/late/{id}")
        @ExecuteOn(TaskExecutors.BLOCKING)
        public String payLate(String id) {
            leasehold.lock("secret-order:" + id).forceRelease();
            return "paid late";
        }
    }

    @Singleton
    @Requires(property = "own-handler")
    static class OwnHandler
            implements ExceptionHandler<LockNotAcquiredException, io.micronaut.http.HttpResponse<String>> {
        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public io.micronaut.http.HttpResponse<String> handle(
                io.micronaut.http.HttpRequest request, LockNotAcquiredException failure) {
            return io.micronaut.http.HttpResponse.<String>status(HttpStatus.TOO_MANY_REQUESTS)
                    .body("own handler");
        }
    }

    private EmbeddedServer start(Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "orders",
                true,
                "bank.prefix",
                "p",
                "leasehold.uri",
                redis.uri(),
                "leasehold.command-timeout",
                "500ms",
                "leasehold.shutdown.timeout",
                "0s",
                "micronaut.server.port",
                -1,
                "micronaut.security.enabled",
                false));
        all.putAll(properties);
        return ApplicationContext.run(EmbeddedServer.class, all);
    }

    private HttpResponse<String> get(EmbeddedServer server) throws Exception {
        return get(server, "/orders/7");
    }

    private HttpResponse<String> get(EmbeddedServer server, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(server.getURI().resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Lease hold(EmbeddedServer server) {
        return server.getApplicationContext()
                .getBean(Leasehold.class)
                .lock("secret-order:7")
                .tryAcquire()
                .orElseThrow();
    }

    @Test
    void aBusyLockIsAConflictAndAnUnavailableOneIsNoService() throws Exception {
        try (EmbeddedServer server = start(Map.of())) {
            assertThat(get(server).body()).isEqualTo("paid");
            try (Lease held = hold(server)) {
                HttpResponse<String> busy = get(server);
                assertThat(held.isHeld()).isTrue();
                assertThat(busy.statusCode()).isEqualTo(409);
                assertThat(busy.headers().firstValue("Retry-After")).contains("1");
                assertThat(busy.headers().firstValue("Content-Type")).contains("application/problem+json");
                assertThat(busy.body()).isEqualTo("{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409}");
            }
            redis.kill();
            try {
                HttpResponse<String> unavailable = get(server);
                assertThat(unavailable.statusCode()).isEqualTo(503);
                assertThat(unavailable.headers().firstValue("Retry-After")).contains("5");
                assertThat(unavailable.body()).doesNotContain("secret");
            } finally {
                redis.restartEmpty();
            }
        }
    }

    @Test
    void aLostLockIsAnErrorOfTheServerThatNobodyShouldRepeatBlindly() throws Exception {
        try (EmbeddedServer server = start(Map.of())) {
            HttpResponse<String> lost = get(server, "/orders/late/7");
            assertThat(lost.statusCode()).isEqualTo(500);
            assertThat(lost.headers().firstValue("Retry-After")).isEmpty();
            assertThat(lost.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(lost.body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500}");
        }
    }

    @Test
    void theHandlerOfTheApplicationComesFirstAndAPropertySwitchesTheAnswersOff() throws Exception {
        try (EmbeddedServer server = start(Map.of("own-handler", true));
                Lease held = hold(server)) {
            assertThat(get(server).body()).isEqualTo("own handler");
            assertThat(held.isHeld()).isTrue();
        }
        try (EmbeddedServer server = start(Map.of("leasehold.web.enabled", false));
                Lease held = hold(server)) {
            assertThat(get(server).statusCode()).isEqualTo(500);
            assertThat(held.isHeld()).isTrue();
        }
    }
}
