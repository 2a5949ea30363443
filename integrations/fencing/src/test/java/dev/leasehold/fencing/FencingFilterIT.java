package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The filter on a real server with a real client: as a guard, and as HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencingFilterIT extends FencingGuardContract {

    private static final Pattern NUMBER = Pattern.compile("\"(token|highest)\":(\\d+)");

    private final Map<String, String> values = new ConcurrentHashMap<>();
    private final AtomicInteger passed = new AtomicInteger();
    private volatile FencingGuard guard = new InMemoryGuard();
    private HttpService service;

    @BeforeAll
    void start() throws Exception {
        service = service((resource, token) -> guard.admit(resource, token));
    }

    @AfterAll
    void stop() throws Exception {
        service.close();
    }

    @BeforeEach
    void forget() {
        guard = new InMemoryGuard();
        passed.set(0);
    }

    private HttpService service(FencingGuard guard) throws Exception {
        return new HttpService(new FencingFilter(guard, FencingFilterIT::resource), request -> {
            passed.incrementAndGet();
            values.put(name(request), new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return "token " + FencingFilter.tokenOf(request);
        });
    }

    private static Optional<String> resource(HttpServletRequest request) {
        return name(request).equals("unguarded") ? Optional.empty() : Optional.of(name(request));
    }

    private static String name(HttpServletRequest request) {
        return URLDecoder.decode(String.valueOf(request.getQueryString()), StandardCharsets.UTF_8);
    }

    @Override
    void write(String resource, long token, String value) throws Exception {
        HttpResponse<String> response = service.put(resource, value, Long.toString(token));
        switch (response.statusCode()) {
            case 200 -> assertThat(response.body()).isEqualTo("token " + token);
            case 400 -> throw new IllegalArgumentException(token + ": " + response.body());
            case 409 -> throw refusal(resource, response.body());
            default -> throw new IllegalStateException(response.statusCode() + ": " + response.body());
        }
    }

    /** Reads a token from the body. */
    private static StaleTokenException refusal(String resource, String body) {
        assertThat(body).contains("\"resource\":\"" + resource + "\"");
        Map<String, Long> tokens = new ConcurrentHashMap<>();
        Matcher number = NUMBER.matcher(body);
        while (number.find()) {
            tokens.put(number.group(1), Long.parseLong(number.group(2)));
        }
        return new StaleTokenException(resource, tokens.get("token"), tokens.get("highest"));
    }

    @Override
    @Nullable
    String value(String resource) {
        return values.get(resource);
    }

    @Override
    boolean oneStep() {
        return false;
    }

    @Test
    void aStaleTokenIsAConflictWithDetailsAndIsNotAdmitted() throws Exception {
        service.put("lottery", "later", "8");
        HttpResponse<String> response = service.put("lottery", "late", "7");
        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(response.body())
                .isEqualTo(
                        "{\"type\":\"tag:leasehold.dev,2026:stale-fencing-token\",\"title\":\"Stale fencing token\","
                                + "\"status\":409,\"detail\":\"A later holder of the lock has used this resource, so the lease of"
                                + " this request is over: stop its work.\",\"resource\":\"lottery\",\"token\":7,\"highest\":8}");
        assertThat(passed).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "seven",
                "0",
                "-1",
                "+1",
                "007",
                "1.0",
                "1e3",
                "0x1",
                "1, 2",
                "\"1\"",
                "9007199254740992",
                "99999999999999999999"
            })
    void aMalformedTokenIsABadRequestAndIsNotAdmitted(String token) throws Exception {
        assertBadRequest(service.put("lottery", "never", token));
        // The text was not accepted as a token.
        assertThat(service.put("lottery", "first", "1").statusCode()).isEqualTo(200);
    }

    @Test
    void aMissingTokenIsABadRequestAndIsNotAdmitted() throws Exception {
        HttpResponse<String> response = service.put("lottery", "never");
        assertBadRequest(response);
        assertThat(response.body()).contains("Fencing-Token is missing");
    }

    @Test
    void twoTokensAreABadRequestAndAreNotAdmitted() throws Exception {
        assertBadRequest(service.put("lottery", "never", "8", "9"));
        assertBadRequest(service.put("lottery", "never", "8", "8"));
    }

    @Test
    void anInvalidNameIsABadRequestAndIsNotAdmitted() throws Exception {
        assertBadRequest(service.put("x".repeat(513), "never", "1"));
        HttpResponse<String> response = service.put("a\0\"b", "never", "1");
        assertBadRequest(response);
        assertThat(response.body()).contains("a\\\\u0000\\\"b");
    }

    private void assertBadRequest(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(response.body())
                .startsWith("{\"type\":\"tag:leasehold.dev,2026:bad-fencing-token\"")
                .contains("\"status\":400");
        assertThat(passed).hasValue(0);
    }

    @Test
    void blanksAroundATokenAreIgnored() throws Exception {
        assertThat(service.put("lottery", "first", " 8 ").statusCode()).isEqualTo(200);
    }

    @Test
    void aRequestWithoutAResourceNeedsNoToken() throws Exception {
        // The servlet reads the token, and the call throws, as no filter has checked one.
        HttpResponse<String> response = service.put("unguarded", "", "7");
        assertThat(passed).hasValue(1);
        assertThat(response.statusCode()).isEqualTo(500);
    }

    @Test
    void aGuardThatFailsIsAServerErrorAndNoRequestIsAdmitted() throws Exception {
        FencingGuard broken = (resource, token) -> {
            throw new SQLException("no connection");
        };
        try (HttpService other = service(broken)) {
            assertThat(other.put("lottery", "never", "7").statusCode()).isEqualTo(500);
        }
        assertThat(passed).hasValue(0);
    }

    @Test
    void severalInstancesShareTheTokensOfTheirGuard() throws Exception {
        JdbcDataSource database = database("instances");
        try (Connection open = database.getConnection()) {
            Database.execute(
                    open, "CREATE TABLE leasehold_fence (name VARCHAR(512) PRIMARY KEY, fence BIGINT NOT NULL)");
            try (HttpService one =
                            service(JdbcFenceTable.named("leasehold_fence").over(database));
                    HttpService two =
                            service(JdbcFenceTable.named("leasehold_fence").over(database))) {
                assertThat(one.put("lottery", "later", "8").statusCode()).isEqualTo(200);
                assertThat(two.put("lottery", "late", "7").statusCode()).isEqualTo(409);
            }
        }
    }

    @Test
    void aRequestThatIsPausedBehindTheFilterIsRefusedOnlyByTheGuardOfTheWrite() throws Exception {
        JdbcDataSource database = database("gap");
        JdbcFenceColumn rows = JdbcFenceColumn.of("lottery", "fence", "id");
        CountDownLatch earlierHasPassed = new CountDownLatch(1);
        CountDownLatch laterIsDone = new CountDownLatch(1);
        FencingFilter filter = new FencingFilter(new InMemoryGuard(), request -> Optional.of("lottery"));
        try (Connection open = database.getConnection();
                HttpService slow = new HttpService(filter, request -> {
                    long token = FencingFilter.tokenOf(request);
                    if (token == 7) {
                        earlierHasPassed.countDown();
                        laterIsDone.await(20, TimeUnit.SECONDS);
                    }
                    try (Connection connection = database.getConnection()) {
                        Database.execute(connection, "UPDATE lottery SET unguarded = ?", token);
                        rows.row(1).update(connection, token, "guarded = ?", token);
                    }
                    return "";
                })) {
            Database.execute(
                    open,
                    "CREATE TABLE lottery (id INTEGER PRIMARY KEY, unguarded BIGINT, guarded BIGINT, fence BIGINT)");
            Database.execute(open, "INSERT INTO lottery (id) VALUES (1)");
            CompletableFuture<Void> earlier = inThread(
                    () -> assertThat(slow.put("", "", "7").statusCode()).isEqualTo(409));
            assertThat(earlierHasPassed.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(slow.put("", "", "8").statusCode()).isEqualTo(200);
            laterIsDone.countDown();
            earlier.get(20, TimeUnit.SECONDS);
            assertThat(Database.single(open, "SELECT unguarded FROM lottery")).isEqualTo("7");
            assertThat(Database.single(open, "SELECT guarded FROM lottery")).isEqualTo("8");
        }
    }

    private static JdbcDataSource database(String name) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + name);
        return dataSource;
    }

    @Test
    void readingATokenThatNoFilterCheckedThrows() {
        HttpServletRequest unchecked = (HttpServletRequest) java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpServletRequest.class}, (self, method, args) -> null);
        assertThatThrownBy(() -> FencingFilter.tokenOf(unchecked))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FencingFilter");
    }
}
