package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/**
 * The console in an application with a web server. Tests that need the same application share it. In the full build,
 * leasehold-spring-boot-3 runs these tests on Boot 3.5.
 */
@WithRedis
@ExtendWith(OutputCaptureExtension.class)
class ConsoleIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ENABLED = "leasehold.console.enabled=true";
    private static final String ROLE = "leasehold.console.actions-role=OPERATOR";
    private static final String READERS = "leasehold.console.role=USER";
    private static final String NOT_EVERY_USER = "leasehold.console.allow-every-user=false";
    private static final String SHOP = "server.servlet.context-path=/shop";
    private static final String FEW_THREADS = "server.tomcat.threads.max=2";
    private static final String EMPTY_ROLE = "leasehold.console.actions-role=";
    private static final String OTHER_ROLE = "leasehold.console.actions-role=ADMIN";
    private static final String ALLOWED = "leasehold.console.allow-without-security=true";
    private static final String HOSTILE = "<script>alert(1)</script>\u0007\u202e\"\\b";

    /** The running applications; shared ones by their type and properties. */
    private static final Map<Object, ConfigurableApplicationContext> RUNNING = new HashMap<>();

    private static final AtomicInteger JOBS = new AtomicInteger();

    /** A lock that no other test uses: an application that is shared may still hold theirs. */
    private final String job = "job-" + JOBS.incrementAndGet();

    private final EmbeddedRedis redis;
    private ConfigurableApplicationContext application;

    ConsoleIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @AfterAll
    static void stop() {
        RUNNING.values().forEach(ConfigurableApplicationContext::close);
        RUNNING.clear();
    }

    private SpringApplicationBuilder builder(Class<?> type, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "leasehold.uri=" + redis.uri(),
                "leasehold.shutdown.timeout=0",
                "leasehold.console.allow-every-user=true",
                "spring.main.banner-mode=off",
                // Other tests have the actuator and Redis on their class path.
                "management.health.redis.enabled=false"));
        all.addAll(Arrays.asList(properties));
        return new SpringApplicationBuilder(type)
                .web(WebApplicationType.SERVLET)
                .properties(all.toArray(String[]::new));
    }

    /** Starts an application, unless one with the same properties runs. */
    private void start(Class<?> type, String... properties) {
        application = RUNNING.computeIfAbsent(
                List.of(type, Set.of(properties)),
                unused -> builder(type, properties).run());
    }

    private void startAlone(SpringApplicationBuilder builder) {
        application = builder.run();
        RUNNING.put(builder, application);
    }

    /** Starts an application that differs from the default in what no test needs alone. */
    private void startShop() {
        start(ConsoleApplications.Secured.class, ENABLED, EMPTY_ROLE, SHOP, FEW_THREADS);
    }

    /** Returns an application whose class path lacks the classes whose names begin with the prefix. */
    private SpringApplicationBuilder without(String prefix, String... properties) {
        return builder(ConsoleApplications.Plain.class, properties)
                .resourceLoader(new DefaultResourceLoader(new FilteredClassLoader(prefix)));
    }

    private ConsoleClient client() {
        return ConsoleClient.of(application);
    }

    private Lease hold(String name) throws InterruptedException {
        return application.getBean(Leasehold.class).lock(name).acquire();
    }

    private boolean isHeld(String name) {
        return application.getBean(Leasehold.class).lock(name).inspect().isPresent();
    }

    @Test
    void runsOnTheVersionOfItsModule() {
        String expected = System.getProperty("leasehold.boot", "4");
        assertThat(SpringBootVersion.getVersion()).startsWith(expected + ".");
    }

    @Test
    void withoutThePropertyThereIsNoConsole() {
        start(ConsoleApplications.Secured.class);
        assertThat(client().as("olga").get("/").statusCode()).isEqualTo(404);
        assertThat(application.getBeansOfType(dev.leasehold.console.Console.class))
                .isEmpty();
    }

    @Test
    void servesThePageAndItsFilesToSomebodyWhoHasSignedIn() {
        start(ConsoleApplications.Secured.class, ENABLED);
        ConsoleClient olga = client().as("olga");
        for (String path : List.of("/", "/app.js", "/console.css", "/icon.svg")) {
            assertThat(olga.get(path).statusCode()).as(path).isEqualTo(200);
            assertThat(olga.send("HEAD", path).statusCode()).as(path).isEqualTo(200);
        }
        assertThat(olga.get("/").body()).contains("<title>Leasehold</title>");
        for (String path : List.of("/nothing", "/api/nothing", "/api/actions/take-away", "/index.html/")) {
            assertThat(olga.get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void otherMethodsAreRefused() {
        start(ConsoleApplications.WithoutCsrf.class, ENABLED, ROLE);
        for (String method : List.of("PUT", "DELETE", "OPTIONS", "PATCH")) {
            assertThat(client().as("olga").send(method, "/").statusCode())
                    .as(method)
                    .isEqualTo(405);
        }
    }

    @Test
    void everyReplyHasTheHeadersOfSecurity() {
        start(ConsoleApplications.Secured.class, ENABLED);
        for (String path : List.of("", "/", "/app.js", "/nothing", "/api/session", "/api/events?screen=none")) {
            HttpResponse<String> reply = client().as("ulf").get(path);
            assertThat(reply.headers().allValues("Content-Security-Policy"))
                    .as(path)
                    .singleElement()
                    .asString()
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(reply.headers().allValues("X-Content-Type-Options"))
                    .as(path)
                    .containsExactly("nosniff");
            assertThat(reply.headers().allValues("Referrer-Policy")).as(path).containsExactly("no-referrer");
            assertThat(reply.headers().firstValue("Cache-Control").orElseThrow())
                    .as(path)
                    .contains("no-store");
        }
    }

    @Test
    void nobodyGetsAnythingWithoutSigningIn() {
        start(ConsoleApplications.Secured.class, ENABLED);
        for (String path : List.of("", "/", "/app.js", "/api/session", "/api/events?screen=now")) {
            HttpResponse<String> page = client().with("Accept", "text/html").get(path);
            assertThat(page.statusCode()).as(path).isEqualTo(302);
            assertThat(page.headers().firstValue("Location").orElseThrow()).endsWith("/login");
        }
        HttpResponse<String> script = client().with("Accept", "application/json")
                .with("X-Requested-With", "XMLHttpRequest")
                .get("/api/session");
        assertThat(script.statusCode()).isEqualTo(401);
        // With it, the browser itself would ask for a password.
        assertThat(script.headers().firstValue("WWW-Authenticate")).isEmpty();
    }

    /** The login page sends the user to the request that it interrupted: that must be the page, not its data. */
    @Test
    void afterSigningInTheUserSeesThePage() {
        start(ConsoleApplications.Secured.class, ENABLED);
        ConsoleClient browser = client();
        browser.with("Accept", "text/html").get("/");
        browser.with("Accept", "application/json").get("/api/session");
        browser.with("Accept", "text/event-stream").get("/api/events?screen=now");
        HttpResponse<String> signedIn = signIn(browser, "olga");
        assertThat(signedIn.headers().firstValue("Location").orElseThrow()).contains("/leasehold/?");
        assertThat(browser.get("/api/session").statusCode()).isEqualTo(200);
    }

    private static HttpResponse<String> signIn(ConsoleClient browser, String user) {
        return browser.form(
                "/login", Map.of("username", user, "password", "secret", "_csrf", browser.tokenOfForm("/login")));
    }

    @Test
    void theSecurityOfTheApplicationRestrictsTheConsole() {
        start(ConsoleApplications.ForOperators.class, ENABLED, OTHER_ROLE);
        for (String path : List.of("", "/", "/app.js", "/api/session")) {
            assertThat(client().as("ulf").get(path).statusCode()).as(path).isEqualTo(403);
        }
        assertThat(client().as("olga").get("/api/session").statusCode()).isEqualTo(200);
    }

    @Test
    void securityThatLeavesTheConsoleOpenOpensNoData() throws InterruptedException {
        start(ConsoleApplications.LeftOpen.class, ENABLED, ROLE);
        hold(job);
        assertThat(client().get("/").statusCode()).isEqualTo(200);
        assertThat(client().get("/api/session").statusCode()).isEqualTo(401);
        assertThat(client().get("/api/events?screen=now").statusCode()).isEqualTo(401);
        assertThat(client().post("take-away", job, Map.of("Origin", client().origin()))
                        .statusCode())
                .isEqualTo(401);
        assertThat(isHeld(job)).isTrue();
    }

    @Test
    void onlyUsersWithTheRoleReadAndOnlyThoseWithTheOtherAct() throws Exception {
        start(ConsoleApplications.WithoutCsrf.class, ENABLED, READERS, NOT_EVERY_USER, ROLE);
        hold(job);
        ConsoleClient carl = client().as("carl");
        assertThat(carl.get("/").body()).contains("<title>Leasehold</title>");
        for (String path : List.of("/api/session", "/api/events?screen=now", "/api/events?screen=waits")) {
            assertThat(carl.get(path).statusCode()).as(path).isEqualTo(403);
            assertThat(carl.get(path).body()).as(path).doesNotContain(job, "postHeaders");
        }
        for (String user : List.of("carl", "ulf")) {
            ConsoleClient client = client().as(user);
            HttpResponse<String> refused = client.post("take-away", job, Map.of("Origin", client.origin()));
            assertThat(refused.statusCode()).as(user).isEqualTo(403);
            assertThat(refused.body()).as(user).contains("not_open");
        }
        assertThat(isHeld(job)).isTrue();
        assertThat(openActions("ulf")).isFalse();
        assertThat(openActions("olga")).isTrue();
    }

    @Test
    void doesNotStartUntilAPropertySaysWhoMayRead(CapturedOutput output) {
        assertThatThrownBy(() -> builder(ConsoleApplications.Secured.class, ENABLED, ROLE, NOT_EVERY_USER)
                        .run())
                .hasRootCauseInstanceOf(ConsoleSetupException.class);
        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START",
                        "leasehold.console.role",
                        "leasehold.console.allow-every-user=true");
    }

    @Test
    void doesNotStartIfPropertiesContradictEachOther(CapturedOutput output) {
        assertThatThrownBy(() -> builder(ConsoleApplications.Secured.class, ENABLED, READERS)
                        .run())
                .hasRootCauseInstanceOf(ConsoleSetupException.class);
        assertThat(output.getAll()).contains("APPLICATION FAILED TO START", "Remove one of them.");
    }

    @Test
    void theRoleIsAlsoDemandedWhereUsersNeedNotSignIn() {
        startAlone(without("org.springframework.security", ENABLED, READERS, NOT_EVERY_USER, ALLOWED));
        assertThat(client().get("/").statusCode()).isEqualTo(200);
        assertThat(client().get("/api/session").statusCode()).isEqualTo(403);
        assertThat(client().get("/api/events?screen=now").statusCode()).isEqualTo(403);
    }

    @Test
    void redirectsToThePathWithASlashWhateverIsBefore() {
        startShop();
        HttpResponse<String> reply = client().as("ulf").get("");
        assertThat(reply.statusCode()).isEqualTo(302);
        assertThat(reply.headers().firstValue("Location")).contains("leasehold/");
        assertThat(client().as("ulf").get("/").body()).contains("<title>Leasehold</title>");
    }

    @Test
    void showsLocksAndEscapesHostileNames() throws Exception {
        start(ConsoleApplications.Secured.class, ENABLED);
        hold(HOSTILE);
        try (ConsoleClient.Stream stream = client().as("ulf").watch("screen=now")) {
            assertThat(stream.reply().statusCode()).isEqualTo(200);
            assertThat(stream.reply().headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/event-stream");
            assertThat(stream.reply().headers().allValues("Content-Security-Policy"))
                    .hasSize(1);
            // A console that served another test may show the locks of that first.
            JsonNode lock = stream.until(state ->
                            state.path("locks").findValuesAsText("name").equals(List.of(HOSTILE)))
                    .get("locks")
                    .get(0);
            assertThat(lock.get("name").asText()).isEqualTo(HOSTILE);
            assertThat(lock.get("shown").asText()).isEqualTo("<script>alert(1)</script>\\u0007\\u202e\"\\\\b");
        }
    }

    @Test
    void offersActionsToTheRoleOnly() throws IOException {
        start(ConsoleApplications.Secured.class, ENABLED, ROLE);
        assertThat(openActions("olga")).isTrue();
        assertThat(openActions("ulf")).isFalse();
    }

    @Test
    void offersNoActionsWithoutARole() throws Exception {
        start(ConsoleApplications.Secured.class, ENABLED);
        offersNoActions();
    }

    @Test
    void offersNoActionsWithAnEmptyRole() throws Exception {
        startShop();
        offersNoActions();
    }

    @Test
    void offersNoActionsToAUserWithAnotherRole() throws Exception {
        start(ConsoleApplications.ForOperators.class, ENABLED, OTHER_ROLE);
        offersNoActions();
    }

    private void offersNoActions() throws Exception {
        hold(job);
        assertThat(openActions("olga")).isFalse();
        HttpResponse<String> reply = client().as("olga").act("take-away", job);
        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(reply.body()).contains("not_open");
        assertThat(isHeld(job)).isTrue();
    }

    private boolean openActions(String user) throws IOException {
        try (ConsoleClient.Stream stream = client().as(user).watch("screen=now")) {
            return stream.next().get("openActions").asBoolean();
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ConsoleApplications.Secured.class,
                ConsoleApplications.ForSinglePage.class,
                ConsoleApplications.WithoutCsrf.class
            })
    void carriesOutActionsWithEveryProtectionAgainstCsrf(Class<?> type) throws InterruptedException {
        start(type, ENABLED, ROLE);
        hold(job);
        HttpResponse<String> refused = client().as("ulf").act("take-away", job);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("not_open");
        assertThat(isHeld(job)).isTrue();
        HttpResponse<String> done = client().as("olga").act("take-away", job);
        assertThat(done.body()).contains("\"outcome\":\"done\"");
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(isHeld(job)).isFalse();
    }

    @Test
    void asksForARelease() throws InterruptedException {
        start(ConsoleApplications.Secured.class, ENABLED, ROLE);
        Lease lease = hold(job);
        assertThat(client().as("olga").act("request-release", job).body()).contains("\"outcome\":\"done\"");
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void springSecurityRefusesAnActionWithoutItsToken() throws InterruptedException {
        start(ConsoleApplications.Secured.class, ENABLED, ROLE);
        hold(job);
        ConsoleClient olga = client().as("olga");
        HttpResponse<String> reply = olga.post("take-away", job, Map.of("Origin", olga.origin()));
        // Not 403, because nobody has signed in yet where the token is checked.
        assertThat(reply.statusCode()).isEqualTo(401);
        assertThat(reply.headers().firstValue("X-Leasehold-Console")).isEmpty();
        assertThat(isHeld(job)).isTrue();
    }

    @Test
    void refusesAnActionThatNoPageOfTheConsoleHasSent() throws InterruptedException {
        start(ConsoleApplications.WithoutCsrf.class, ENABLED, ROLE);
        hold(job);
        ConsoleClient olga = client().as("olga");
        String origin = olga.origin();
        for (Map<String, String> forged : List.of(
                Map.<String, String>of(),
                Map.of("Origin", "null"),
                Map.of("Origin", "http://evil.example"),
                Map.of("Origin", origin.replace("http:", "https:")),
                Map.of("Origin", "http://localhost"),
                Map.of("Origin", origin, "X-Leasehold-Console", "0"),
                Map.of("Origin", origin, "Content-Type", "text/plain"),
                Map.of("Origin", origin, "Sec-Fetch-Site", "same-site"))) {
            HttpResponse<String> reply = olga.post("take-away", job, forged);
            assertThat(reply.statusCode()).as("%s", forged).isEqualTo(403);
            assertThat(reply.body()).contains("failed", origin);
        }
        assertThat(client().as("olga")
                        .with("Sec-Fetch-Site", "cross-site")
                        .get("/api/events?screen=now")
                        .statusCode())
                .isEqualTo(403);
        assertThat(isHeld(job)).isTrue();
    }

    @Test
    void theLogOfAnActionNamesTheUserAndCannotBeForged(CapturedOutput output) throws InterruptedException {
        start(ConsoleApplications.WithoutCsrf.class, ENABLED, ROLE);
        hold(job);
        client().as(ConsoleApplications.HOSTILE_USER).act("take-away", job);
        assertThat(output.getAll())
                .contains("Console, user 'eve\\u000aWARN Console, user 'olga'': take away lock '" + job
                        + "', reason: 'it hangs'");
        assertThat(output.getAll().lines()).noneMatch(line -> line.startsWith("WARN Console"));
    }

    @Test
    void anActionBehindAProxyNeedsTheStrategyForForwardedHeaders() throws InterruptedException {
        Map<String, String> ofThePage = Map.of("Origin", "https://shop.example");
        start(ConsoleApplications.WithoutCsrf.class, ENABLED, ROLE);
        hold(job);
        assertThat(behindProxy().post("take-away", job, ofThePage).body()).contains("server.forward-headers-strategy");
        for (String strategy : List.of("framework", "native")) {
            start(ConsoleApplications.WithoutCsrf.class, ENABLED, ROLE, "server.forward-headers-strategy=" + strategy);
            hold(strategy);
            assertThat(behindProxy().post("take-away", strategy, ofThePage).body())
                    .as(strategy)
                    .contains("done");
            assertThat(behindProxy().get("").headers().firstValue("Location")).contains("leasehold/");
        }
    }

    private ConsoleClient behindProxy() {
        return client().as("olga")
                .with("X-Forwarded-Host", "shop.example")
                .with("X-Forwarded-Port", "443")
                .with("X-Forwarded-Proto", "https")
                .with("X-Forwarded-For", "192.0.2.1");
    }

    @Test
    void theActuatorTakesALockAwayForTheRoleOfActionsOnly(CapturedOutput output) throws InterruptedException {
        start(
                ConsoleApplications.WithoutCsrf.class,
                ROLE,
                "management.endpoints.web.exposure.include=leasehold",
                "leasehold.endpoint.allow-forced-release=true");
        hold(job);
        String path = "/actuator/leasehold/" + job;
        assertThat(client().deleteOfApplication(path).statusCode()).isEqualTo(401);
        assertThat(client().as("ulf").deleteOfApplication(path).body())
                .contains("\"allowed\":false", "does not have the role");
        assertThat(isHeld(job)).isTrue();
        assertThat(client().as("olga").deleteOfApplication(path).body()).contains("\"released\":true");
        assertThat(isHeld(job)).isFalse();
        hold(job);
        client().as(ConsoleApplications.HOSTILE_USER).deleteOfApplication(path);
        assertThat(output.getAll())
                .contains("by the actuator, user 'olga': ", "by the actuator, user 'eve?WARN Console, user 'olga'': ");
    }

    /** As docs/observing.md says: the role of the console is no rule for the actuator, that of Spring Security is. */
    @Test
    void theActuatorShowsALockToWhomSpringSecurityLetsThrough() throws InterruptedException {
        String exposed = "management.endpoints.web.exposure.include=leasehold";
        start(ConsoleApplications.WithoutCsrf.class, ROLE, "leasehold.console.role=SUPPORT", exposed);
        hold(job);
        String path = "/actuator/leasehold/" + job;
        assertThat(client().getOfApplication(path).statusCode()).isEqualTo(401);
        assertThat(client().as("ulf").getOfApplication(path).body()).contains("\"pid\":");
        start(ConsoleApplications.GuardedActuator.class, ROLE, exposed);
        assertThat(client().getOfApplication(path).statusCode()).isEqualTo(401);
        for (String guarded : List.of(path, "/actuator/leasehold")) {
            assertThat(client().as("ulf").getOfApplication(guarded).statusCode())
                    .isEqualTo(403);
            assertThat(client().as("olga").getOfApplication(guarded).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aStreamEndsWithTheSessionOfItsUser() throws Exception {
        start(ConsoleApplications.Secured.class, ENABLED);
        ConsoleClient browser = client();
        signIn(browser, "olga");
        try (ConsoleClient.Stream stream = browser.watch("screen=now")) {
            stream.next();
            browser.form("/logout", Map.of("_csrf", csrf(browser)));
            assertThat(stream.end()).isEqualTo("event: end|data:");
        }
        assertThat(browser.with("Accept", "application/json")
                        .get("/api/session")
                        .statusCode())
                .isIn(302, 401);
    }

    private static String csrf(ConsoleClient browser) {
        return browser.postHeaders().values().iterator().next().get(0);
    }

    @Test
    void streamsOccupyNoThreadOfTheContainerAndAreBoundedForEachUser() throws Exception {
        startShop();
        List<ConsoleClient.Stream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                ConsoleClient.Stream stream = client().as("ulf").watch("screen=now");
                open.add(stream);
                stream.next();
            }
            assertThat(client().as("ulf").get("/api/events?screen=now").statusCode())
                    .isEqualTo(429);
            assertThat(client().as("ulf").get("/").statusCode()).isEqualTo(200);
            try (ConsoleClient.Stream stream = client().as("carl").watch("screen=now")) {
                assertThat(stream.next().get("openActions").asBoolean()).isFalse();
            }
        } finally {
            open.forEach(ConsoleClient.Stream::close);
        }
        await().atMost(LIMIT).until(() -> {
            try (ConsoleClient.Stream stream = client().as("ulf").watch("screen=now")) {
                return stream.reply().statusCode() == 200;
            }
        });
    }

    @Test
    void aGracefulShutdownDoesNotWaitForOpenPages() throws Exception {
        startAlone(builder(
                ConsoleApplications.Secured.class,
                ENABLED,
                "server.shutdown=graceful",
                "spring.lifecycle.timeout-per-shutdown-phase=9m"));
        try (ConsoleClient.Stream stream = client().as("ulf").watch("screen=now")) {
            stream.next();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(application::close);
            await().atMost(LIMIT).until(closed::isDone);
            closed.join();
        }
    }

    @Test
    void withoutSpringSecurityTheApplicationRefusesToStart(CapturedOutput output) {
        assertThatThrownBy(
                        () -> without("org.springframework.security", ENABLED).run())
                .hasRootCauseInstanceOf(ConsoleSetupException.class);
        assertThat(output.getAll())
                .contains(
                        "APPLICATION FAILED TO START",
                        "leasehold.console.enabled=true serves the console",
                        "no Spring Security",
                        "Add spring-boot-starter-security",
                        "leasehold.console.allow-without-security=true");
    }

    @Test
    void withoutSpringSecurityItIsServedToAllIfThatIsAllowed() throws Exception {
        startAlone(without("org.springframework.security", ENABLED, ROLE, ALLOWED));
        hold(job);
        assertThat(client().get("/").statusCode()).isEqualTo(200);
        try (ConsoleClient.Stream stream = client().watch("screen=now")) {
            JsonNode state = stream.until(any -> any.path("locks").size() == 1);
            assertThat(state.get("openActions").asBoolean()).isFalse();
        }
        HttpResponse<String> reply = client().act("take-away", job);
        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(reply.body()).contains("not_open");
        assertThat(isHeld(job)).isTrue();
    }

    @Test
    void thePropertyWithoutTheModuleIsRefused(CapturedOutput output) {
        assertThatThrownBy(() -> without("dev.leasehold.console", ENABLED).run())
                .isInstanceOf(ConsoleSetupException.class);
        assertThat(output.getAll()).contains("Add the dependency dev.leasehold:leasehold-console");
    }

    @Test
    void aReactiveApplicationRefusesThePropertyAtItsStart(CapturedOutput output) {
        assertThatThrownBy(() -> builder(ConsoleApplications.Plain.class, ENABLED)
                        .web(WebApplicationType.REACTIVE)
                        .run())
                .isInstanceOf(ConsoleSetupException.class);
        assertThat(output.getAll())
                .contains("leasehold.console.enabled=true needs a servlet application", "Remove the property");
    }

    @Test
    void anApplicationWithoutAWebServerIgnoresTheProperty() {
        startAlone(builder(ConsoleApplications.Plain.class, ENABLED).web(WebApplicationType.NONE));
        assertThat(application.getBean(Leasehold.class)).isNotNull();
    }
}
