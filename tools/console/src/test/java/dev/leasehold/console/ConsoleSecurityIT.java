package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.net.ConnectException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server of the console refuses. */
@WithRedis
class ConsoleSecurityIT {

    private static final String ACTION = "{\"name\":\"job\",\"typed\":\"job\",\"reason\":\"test\"}";
    private static final String TAKE_AWAY = "/api/actions/take-away";

    private Leasehold leasehold;
    private Console console;
    private ConsoleServer server;
    private URI uri;

    @BeforeEach
    void start(EmbeddedRedis redis) throws Exception {
        leasehold = Leasehold.connect(redis.uri());
        console = Console.over(leasehold);
        server = ConsoleServer.start(console, 0, true);
        uri = server.uri();
    }

    @AfterEach
    void stop() {
        server.close();
        console.close();
        leasehold.close();
    }

    @Test
    void listensOnLoopbackOnly() {
        // On all addresses it would answer here, too.
        assertThatThrownBy(() -> new Socket("127.0.0.2", uri.getPort()).close()).isInstanceOf(ConnectException.class);
        assertThat(uri.getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void exchangesTheTokenOnceForACookieThatScriptsCannotRead() {
        String body = '"' + RawRequest.token(uri) + '"';
        RawRequest.Response first = RawRequest.post(uri, "/api/session", body).send();
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("Set-Cookie").orElseThrow())
                .contains("; HttpOnly", "; SameSite=Strict")
                .doesNotContain(RawRequest.token(uri));
        RawRequest.Response second = RawRequest.post(uri, "/api/session", body).send();
        assertThat(second.status()).isEqualTo(403);
        assertThat(second.header("Set-Cookie")).isEmpty();
    }

    @Test
    void aWrongTokenIsRefusedAndDoesNotSpendTheRightOne() {
        String token = RawRequest.token(uri);
        for (String wrong : List.of("", token.substring(1), token + "A", token.toLowerCase(Locale.ROOT))) {
            assertThat(RawRequest.post(uri, "/api/session", '"' + wrong + '"')
                            .send()
                            .status())
                    .isEqualTo(403);
        }
        assertThat(RawRequest.session(uri)).startsWith("leasehold-console-");
    }

    @Test
    void theTokenIsNotInTheRequestLine() {
        assertThat(uri.getQuery()).isNull();
        assertThat(uri.getPath()).isEqualTo("/");
        assertThat(RawRequest.token(uri)).hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/events?screen=now", "/api/session"})
    void givesDataToTheSessionOnly(String path) {
        assertThat(RawRequest.of(uri, "GET", path).send().status()).isEqualTo(401);
        assertThat(RawRequest.of(uri, "GET", path)
                        .cookie("leasehold-console-" + uri.getPort() + "=guess")
                        .send()
                        .status())
                .isEqualTo(401);
    }

    @Test
    void acceptsEveryNameOfLoopbackWithItsPort() {
        for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
            assertThat(RawRequest.bare(uri, "GET", "/")
                            .header("Host: " + host + ":" + uri.getPort())
                            .send()
                            .status())
                    .isEqualTo(200);
        }
    }

    /** A page of evil.example whose name resolves to 127.0.0.1 has the browser's leave to read what it gets. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:%d",
                "127.0.0.1",
                "localhost:1",
                "127.0.0.1.evil.example:%d",
                "localhost:%d.evil.example"
            })
    void refusesEveryOtherHost(String host) {
        String cookie = RawRequest.session(uri);
        for (String path : List.of("/", "/app.js", "/api/session")) {
            assertThat(RawRequest.bare(uri, "GET", path)
                            .header("Host: " + host.replace("%d", "" + uri.getPort()))
                            .cookie(cookie)
                            .send()
                            .status())
                    .isEqualTo(421);
        }
    }

    @Test
    void refusesTwoHosts() {
        assertThat(RawRequest.of(uri, "GET", "/")
                        .header("Host: evil.example")
                        .send()
                        .status())
                .isEqualTo(421);
    }

    @Test
    void refusesAPostWithoutOriginHeaderOrType() throws InterruptedException {
        Lease lease = leasehold.lock("job").acquire();
        String cookie = RawRequest.session(uri);
        List<RawRequest> forged = List.of(
                take(cookie).without("Origin"),
                take(cookie).without("Origin").header("Origin: http://evil.example"),
                take(cookie).without("Origin").header("Origin: null"),
                take(cookie).without("Origin").header("Origin: https://127.0.0.1:" + uri.getPort()),
                take(cookie).header("Origin: http://evil.example"),
                take(cookie).without("X-Leasehold-Console"),
                take(cookie).without("Content-Type").header("Content-Type: text/plain"),
                take(cookie).header("Sec-Fetch-Site: same-site"),
                take(cookie).header("Sec-Fetch-Site: cross-site"));
        for (RawRequest request : forged) {
            assertThat(request.send().status()).isEqualTo(403);
        }
        assertThat(take("other=1").send().status()).isEqualTo(401);
        assertThat(leasehold.lock("job").inspect().orElseThrow().fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(take(cookie).header("Sec-Fetch-Site: same-origin").send().status())
                .isEqualTo(200);
        assertThat(leasehold.lock("job").inspect()).isEmpty();
    }

    private RawRequest take(String cookie) {
        return RawRequest.post(uri, TAKE_AWAY, ACTION).cookie(cookie);
    }

    @Test
    void theCookieIsOfNoUseWithoutThePathThatItNames() {
        String cookie = RawRequest.session(uri);
        String path = RawRequest.path(cookie);
        assertThat(path).matches("/[A-Za-z0-9_-]{43}/");
        String own = cookie.replaceFirst(";.*", "");
        for (String data : List.of("api/session", "api/events?screen=now")) {
            assertThat(status("/" + data, own)).isEqualTo(401);
            assertThat(status(path.toLowerCase(Locale.ROOT) + data, own)).isEqualTo(404);
            assertThat(status(path + path.substring(1) + data, own)).isEqualTo(404);
            // The path alone is of no use either.
            assertThat(status(path + data, "other=1")).isEqualTo(401);
        }
        assertThat(status(path + "api/session", own)).isEqualTo(200);
    }

    private int status(String path, String header) {
        return RawRequest.of(uri, "GET", path)
                .header("Cookie: " + header)
                .send()
                .status();
    }

    /** Cookies do not know ports: a server of another user at another port would get one for all paths. */
    @Test
    void theSessionIsSentToNoOtherPort() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            seen.add(String.valueOf(exchange.getRequestHeaders().get("Cookie")));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        other.start();
        try {
            CookieManager cookies = new CookieManager();
            HttpClient browser = HttpClient.newBuilder().cookieHandler(cookies).build();
            String origin = "http://127.0.0.1:" + uri.getPort();
            HttpResponse<String> session = browser.send(
                    HttpRequest.newBuilder(URI.create(origin + "/api/session"))
                            .header("Origin", origin)
                            .header("X-Leasehold-Console", "1")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString('"' + RawRequest.token(uri) + '"'))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            String path = session.body().replaceAll(".*\"path\":\"([^\"]*)\".*", "$1");
            assertThat(get(browser, origin + path + "api/session")).isEqualTo(200);
            for (String elsewhere : List.of("/", "/api/session", "/api/events?screen=now", "/app.js")) {
                get(browser, "http://127.0.0.1:" + other.getAddress().getPort() + elsewhere);
            }
            assertThat(seen).hasSize(4).containsOnly("null");
            assertThat(cookies.getCookieStore().getCookies()).hasSize(1);
        } finally {
            other.stop(0);
        }
    }

    private static int get(HttpClient browser, String address) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    /** A page on another port of this machine is of the same site, so that the browser may send the cookie for its requests. */
    @Test
    void givesNoDataToPagesOfOtherPorts() {
        String cookie = RawRequest.session(uri);
        for (String site : List.of("same-site", "cross-site", "none")) {
            assertThat(RawRequest.of(uri, "GET", "/api/events?screen=now")
                            .cookie(cookie)
                            .header("Sec-Fetch-Site: " + site)
                            .send()
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    void changesNothingByGet() throws InterruptedException {
        leasehold.lock("job").acquire();
        String cookie = RawRequest.session(uri);
        for (String method : List.of("GET", "HEAD")) {
            RawRequest request = RawRequest.of(uri, method, TAKE_AWAY + "?name=job&typed=job&reason=test")
                    .cookie(cookie)
                    .header("Origin: http://127.0.0.1:" + uri.getPort())
                    .header("X-Leasehold-Console: 1");
            assertThat(request.send().status()).isEqualTo(404);
        }
        for (String method : List.of("PUT", "DELETE", "OPTIONS", "TRACE")) {
            assertThat(RawRequest.of(uri, method, TAKE_AWAY)
                            .cookie(cookie)
                            .send()
                            .status())
                    .isEqualTo(405);
        }
        assertThat(leasehold.lock("job").inspect()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/app.js", "/console.css", "/icon.svg", "/nothing", "/api/session", "/api/actions/take-away"
            })
    void everyReplyHasTheHeadersOfSecurity(String path) {
        RawRequest.Response response = RawRequest.of(uri, "GET", path).send();
        assertThat(response.header("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(response.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(response.header("Referrer-Policy")).contains("no-referrer");
        assertThat(response.header("Cache-Control")).contains("no-store");
        assertThat(response.header("Access-Control-Allow-Origin")).isEmpty();
    }

    @Test
    void noFileLiesBesideThePage() {
        for (String path :
                List.of("/../package-info.class", "/%2e%2e/%2e%2e/Console.class", "/index.html/", "//etc/passwd")) {
            assertThat(RawRequest.of(uri, "GET", path).send().status()).isEqualTo(404);
        }
    }

    @Test
    void theSessionRequiresNoHeadersBesidesThoseOfThePage() {
        RawRequest.Response reply = RawRequest.of(uri, "GET", "/api/session")
                .cookie(RawRequest.session(uri))
                .send();
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"postHeaders\":{}}");
    }

    @Test
    void refusesAQueryThatCannotBeDecoded() {
        assertThat(RawRequest.of(uri, "GET", "/api/events?screen=%zz")
                        .cookie(RawRequest.session(uri))
                        .send()
                        .status())
                .isEqualTo(400);
    }

    @Test
    void showsNoSecret() {
        String cookie = RawRequest.session(uri);
        String secret = cookie.replaceFirst("[^=]*=", "").replaceFirst(";.*", "");
        for (String path : List.of("/", "/app.js", "/connection.js")) {
            assertThat(RawRequest.of(uri, "GET", path).cookie(cookie).send().body())
                    .isNotEmpty()
                    .doesNotContain(secret, RawRequest.token(uri));
        }
        try (Events events = Events.open(uri, cookie, "screen=now")) {
            JsonNode state = events.next();
            assertThat(state.toString()).doesNotContain(secret, RawRequest.token(uri));
        }
    }

    /** An apostrophe is legal in a URI, and ended the pattern by which a former version masked passwords. */
    @Test
    void showsTheAddressOfTheServerThatTheConnectorHasParsed(EmbeddedRedis redis) throws Exception {
        redis.command("ACL", "SETUSER", "app", "on", ">it's-\"s3cret@/:", "~*", "&*", "+@all");
        String address = redis.host() + ":" + redis.port();
        try (Leasehold client = Leasehold.connect("redis://app:it's-%22s3cret%40%2F%3A@" + address);
                Lease held = client.lock("job").acquire();
                Console shown = Console.over(client);
                ConsoleServer served = ConsoleServer.start(shown, 0, true)) {
            String cookie = RawRequest.session(served.uri());
            for (String screen : List.of("now", "lock&name=job", "waits", "heat", "servers")) {
                try (Events events = Events.open(served.uri(), cookie, "screen=" + screen)) {
                    JsonNode state = events.next();
                    assertThat(state.get("servers").asText()).isEqualTo("redis://" + address);
                    assertThat(state.toString()).doesNotContain("s3cret", "it's");
                }
            }
            held.ensureHeld();
        } finally {
            redis.command("ACL", "DELUSER", "app");
        }
    }

    @Test
    void limitsTheSizeOfRequests() {
        String cookie = RawRequest.session(uri);
        assertThat(RawRequest.post(uri, TAKE_AWAY, "x".repeat(20_000))
                        .cookie(cookie)
                        .send()
                        .status())
                .isEqualTo(413);
        assertThat(RawRequest.of(uri, "GET", "/api/events?screen=now&search=" + "x".repeat(5_000))
                        .cookie(cookie)
                        .send()
                        .status())
                .isEqualTo(414);
    }

    /** The limit of the JDK's server for slow requests is longer than this test in this build. */
    @Test
    void halfRequestsOfStrangersKeepNobodyOut() throws Exception {
        List<Socket> half = new ArrayList<>();
        try {
            for (int i = 0; i < 60; i++) {
                half.add(half("GET / HTTP/1.1\r\nHost: "));
            }
            assertThat(RawRequest.of(uri, "GET", "/").send().status()).isEqualTo(200);
            String cookie = RawRequest.session(uri);
            try (Events open = Events.open(uri, cookie, "screen=now")) {
                open.next();
                for (int i = 0; i < 60; i++) {
                    half.add(
                            half(
                                    "POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:" + uri.getPort()
                                            + "\r\nOrigin: http://127.0.0.1:" + uri.getPort()
                                            + "\r\nX-Leasehold-Console: 1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n\""));
                }
                assertThat(RawRequest.of(uri, "GET", "/app.js").send().status()).isEqualTo(200);
                assertThat(RawRequest.post(uri, TAKE_AWAY, ACTION)
                                .cookie(cookie)
                                .send()
                                .status())
                        .isEqualTo(200);
                // The page that is open is nobody's victim.
                open.next();
            }
            // The oldest have made room.
            assertThat(half.get(0).getInputStream().read()).isEqualTo(-1);
        } finally {
            for (Socket each : half) {
                each.close();
            }
        }
    }

    private Socket half(String beginning) throws IOException {
        Socket socket = new Socket("127.0.0.1", uri.getPort());
        socket.setSoTimeout(60_000);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    @Test
    void limitsTheNumberOfStreamsAndStillServesThePage() {
        String cookie = RawRequest.session(uri);
        List<Events> open = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                Events events = Events.open(uri, cookie, "screen=now");
                open.add(events);
                assertThat(events.status()).isEqualTo(200);
            }
            try (Events oneMore = Events.open(uri, cookie, "screen=now")) {
                assertThat(oneMore.status()).isEqualTo(429);
            }
            assertThat(RawRequest.of(uri, "GET", "/").send().status()).isEqualTo(200);
        } finally {
            open.forEach(Events::close);
        }
    }
}
