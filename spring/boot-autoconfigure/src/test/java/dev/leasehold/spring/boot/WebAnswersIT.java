package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.Lock;
import dev.leasehold.event.LossCause;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** What web applications answer to requests that do not get their lock. */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class WebAnswersIT {

    private final HttpClient http = HttpClient.newHttpClient();
    private final EmbeddedRedis redis;

    WebAnswersIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @RestController
    static class Orders {
        private final Leasehold leasehold;

        Orders(Leasehold leasehold) {
            this.leasehold = leasehold;
        }

        @Lock("secret-order:#{#id}")
        @GetMapping("/orders/{id}")
        public String pay(@PathVariable("id") String id) {
            return "paid";
        }

        /** Someone takes the lock away while it works. */
        @Lock("secret-order:#{#id}")
        @GetMapping("/late-orders/{id}")
        public String payLate(@PathVariable("id") String id) {
            leasehold.lock("secret-order:" + id).forceRelease();
            return "paid late";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Orders orders(Leasehold leasehold) {
            return new Orders(leasehold);
        }

        /** Other tests have Spring Security on their class path. */
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class ShopWithHandler extends Shop {
        @Bean
        Handler handler() {
            return new Handler();
        }
    }

    @ControllerAdvice
    static class Handler {
        @ExceptionHandler(Exception.class)
        ResponseEntity<String> failed(Exception e) {
            return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS).body("own handler");
        }
    }

    private ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.command-timeout=500ms",
                        "leasehold.outage-tolerance=500ms",
                        "leasehold.shutdown.timeout=0",
                        "spring.main.banner-mode=off",
                        "spring.web.error.include-message=always",
                        "server.error.include-message=always",
                        "management.health.redis.enabled=false")
                .properties(properties)
                .run();
    }

    private HttpResponse<String> get(ConfigurableApplicationContext application)
            throws IOException, InterruptedException {
        return get(application, "/orders/7");
    }

    private HttpResponse<String> get(ConfigurableApplicationContext application, String path)
            throws IOException, InterruptedException {
        String port = application.getEnvironment().getProperty("local.server.port");
        return http.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void aBusyLockIsAConflictAndAnUnavailableOneIsNoService() throws Exception {
        try (ConfigurableApplicationContext application = start(Shop.class)) {
            assertThat(get(application).body()).isEqualTo("paid");
            try (Lease held =
                    application.getBean(Leasehold.class).lock("secret-order:7").acquire()) {
                assertThat(held.isHeld()).isTrue();
                HttpResponse<String> busy = get(application);
                assertThat(busy.statusCode()).isEqualTo(409);
                assertThat(busy.headers().firstValue("Retry-After")).contains("1");
                assertThat(busy.headers().firstValue("Content-Type")).contains("application/problem+json");
                assertThat(busy.body()).isEqualTo("{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409}");
            }
            redis.kill();
            try {
                HttpResponse<String> unavailable = get(application);
                assertThat(unavailable.statusCode()).isEqualTo(503);
                assertThat(unavailable.headers().firstValue("Retry-After")).contains("5");
                assertThat(unavailable.body()).doesNotContain("secret").contains("\"status\":503");
            } finally {
                redis.restartEmpty();
            }
        }
    }

    /** Its work may be done, so nobody is told to try again; and the log has a line instead of a stack. */
    @Test
    void aLostLockIsAnErrorOfTheServerThatNobodyShouldRepeatBlindly(CapturedOutput log) throws Exception {
        try (ConfigurableApplicationContext application = start(Shop.class)) {
            HttpResponse<String> lost = get(application, "/late-orders/7");
            assertThat(lost.statusCode()).isEqualTo(500);
            assertThat(lost.headers().firstValue("Retry-After")).isEmpty();
            assertThat(lost.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(lost.body())
                    .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Internal Server Error\",\"status\":500}");
            assertThat(log).contains("a request lost its lock").doesNotContain("\tat dev.leasehold");
        }
    }

    @Test
    void theHandlerOfTheApplicationComesFirst() throws Exception {
        try (ConfigurableApplicationContext application = start(ShopWithHandler.class);
                Lease held = application
                        .getBean(Leasehold.class)
                        .lock("secret-order:7")
                        .acquire()) {
            assertThat(held.isHeld()).isTrue();
            HttpResponse<String> answer = get(application);
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.body()).isEqualTo("own handler");
        }
    }

    @Test
    void aPropertySwitchesTheAnswersOff() throws Exception {
        try (ConfigurableApplicationContext application = start(Shop.class, "leasehold.web.enabled=false");
                Lease held = application
                        .getBean(Leasehold.class)
                        .lock("secret-order:7")
                        .acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(get(application).statusCode()).isEqualTo(500);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnWebHandlers {
        @Bean
        @Order(-2)
        WebExceptionHandler own() {
            return (exchange, failure) -> Mono.error(failure);
        }
    }

    @Test
    void aReactiveApplicationAnswersAlike() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseholdAutoConfiguration.class, LeaseholdWebAutoConfiguration.class))
                .withUserConfiguration(OwnWebHandlers.class)
                .withPropertyValues("leasehold.uri=" + redis.uri())
                .run(context -> {
                    LockWebExceptionHandler handler = context.getBean(LockWebExceptionHandler.class);
                    assertThat(context.getBeanProvider(WebExceptionHandler.class)
                                    .orderedStream())
                            .endsWith(handler);
                    MockServerWebExchange busy = exchange();
                    handler.handle(busy, new LockNotAcquiredException("secret", "secret is busy"))
                            .block();
                    assertThat(busy.getResponse().getStatusCode()).isEqualTo(HttpStatus.CONFLICT);
                    assertThat(busy.getResponse().getHeaders().getFirst("Retry-After"))
                            .isEqualTo("1");
                    assertThat(busy.getResponse().getBodyAsString().block())
                            .doesNotContain("secret")
                            .contains("409");
                    MockServerWebExchange unavailable = exchange();
                    handler.handle(unavailable, new LockUnavailableException("secret", false, "secret", null))
                            .block();
                    assertThat(unavailable.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
                    MockServerWebExchange lost = exchange();
                    handler.handle(lost, new LeaseLostException("secret", LossCause.EXPIRED, "secret is lost"))
                            .block();
                    assertThat(lost.getResponse().getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
                    assertThat(lost.getResponse().getHeaders().getFirst("Retry-After"))
                            .isNull();
                    assertThat(lost.getResponse().getBodyAsString().block()).doesNotContain("secret");
                    Mono<Void> other = handler.handle(exchange(), new IllegalStateException("other"));
                    assertThatThrownBy(other::block).hasMessage("other");
                });
    }

    private static MockServerWebExchange exchange() {
        return MockServerWebExchange.from(MockServerHttpRequest.get("/orders/7"));
    }
}
