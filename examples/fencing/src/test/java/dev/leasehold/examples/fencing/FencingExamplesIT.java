package dev.leasehold.examples.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.fencing.RedisGuard;
import dev.leasehold.fencing.StaleTokenException;
import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every example of {@code docs/fencing.md} works as documented, and refuses a holder whose lease is over. */
@WithRedis
class FencingExamplesIT {

    private static final Pattern SQL = Pattern.compile("^```sql\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private final EmbeddedRedis redis;
    private final JdbcDataSource dataSource = new JdbcDataSource();
    private Leasehold leasehold;
    private Connection database;

    FencingExamplesIT(EmbeddedRedis redis) {
        this.redis = redis;
        dataSource.setURL("jdbc:h2:mem:examples");
    }

    @BeforeEach
    void open() throws SQLException, IOException {
        leasehold = Leasehold.connect(redis.uri());
        database = dataSource.getConnection();
        execute("CREATE TABLE lottery (draw_day VARCHAR(10) PRIMARY KEY, winners VARCHAR(100))");
        Matcher sql = SQL.matcher(Files.readString(document(Path.of("").toAbsolutePath())));
        while (sql.find()) {
            execute(sql.group(1));
        }
        execute("INSERT INTO lottery (draw_day) VALUES ('2026-11-21')");
        execute("CREATE TABLE stock (item INTEGER PRIMARY KEY, pieces INTEGER)");
        execute("INSERT INTO stock VALUES (17, 5)");
    }

    private static Path document(Path from) {
        Path document = from.resolve("docs/fencing.md");
        return Files.exists(document) ? document : document(from.getParent());
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
        leasehold.close();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute(sql);
        }
    }

    private String read(String sql) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** A token higher than all tokens of these tests, like that of a later holder. */
    private static final long LATER = (1L << 53) - 1;

    /** One step in Redis replaces the former holder; only the guard refuses its late writes. */
    @Test
    void theFormerHolderOfAResumedLeaseIsRefused() throws Exception {
        RedisClient client = RedisClient.create(redis.uri());
        // Without tracking of keys, a holder learns nothing before its next renewal.
        client.setOptions(
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build());
        try (RedisTransport transport = LettuceTransport.over(client);
                Leasehold unaware = Leasehold.builder()
                        .transport(LettuceTransport.over(client))
                        .build();
                Lease former = unaware.lock("resumed").acquire()) {
            RedisGuard guard = RedisGuard.over(transport);
            guard.run("resumed", former.fencingToken(), "SET", "leasehold-example:{resumed}", "former");
            try (Leasehold other = Leasehold.connect(redis.uri());
                    Lease next = other.resume(former.export())) {
                guard.run("resumed", next.fencingToken(), "SET", "leasehold-example:{resumed}", "next");
                assertThat(former.isHeld())
                        .as("the former holder has not noticed yet")
                        .isTrue();
                assertThatThrownBy(() -> guard.run(
                                "resumed", former.fencingToken(), "SET", "leasehold-example:{resumed}", "late"))
                        .isInstanceOf(StaleTokenException.class);
            }
            assertThat(redis.command("GET", "leasehold-example:{resumed}")).isEqualTo("next");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aColumnGuardsItsRow() throws Exception {
        InDatabase example = new InDatabase(leasehold, dataSource);
        assertThat(example.column("7,8,9")).isEqualTo("drawn");
        assertThat(read("SELECT winners FROM lottery")).isEqualTo("7,8,9");
        execute("UPDATE lottery SET fence = " + LATER);
        assertThat(example.column("late"))
                .contains("lottery[draw_day=2026-11-21]")
                .contains(Long.toString(LATER));
        assertThat(read("SELECT winners FROM lottery")).isEqualTo("7,8,9");
    }

    @Test
    void aTableGuardsATransaction() throws Exception {
        InDatabase example = new InDatabase(leasehold, dataSource);
        example.table();
        example.table();
        assertThat(read("SELECT pieces FROM stock")).isEqualTo("3");
        execute("UPDATE leasehold_fence SET fence = " + LATER + " WHERE name = 'stock:17'");
        assertThatThrownBy(example::table).isInstanceOf(StaleTokenException.class);
        assertThat(read("SELECT pieces FROM stock")).isEqualTo("3");
        // No row stays locked.
        execute("UPDATE leasehold_fence SET fence = 1 WHERE name = 'stock:17'");
        example.table();
        assertThat(read("SELECT pieces FROM stock")).isEqualTo("2");
    }

    @Test
    void aScriptGuardsDataInRedis() throws Exception {
        RedisClient client = RedisClient.create(redis.uri());
        try {
            InRedis example = new InRedis(leasehold, client);
            redis.command("SET", "{stock:17}:pieces", "5");
            example.countDown();
            assertThat(redis.command("GET", "{stock:17}:pieces")).isEqualTo("4");
            redis.command("SET", "leasehold-fence:{stock:17}", Long.toString(LATER));
            assertThatThrownBy(example::countDown).isInstanceOf(StaleTokenException.class);
            assertThat(redis.command("GET", "{stock:17}:pieces")).isEqualTo("4");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void overLettuceTheGuardReportsAStoppedServerAsATransportErrorAndReconnects() {
        RedisClient client = RedisClient.create(redis.uri());
        try (RedisTransport transport = LettuceTransport.over(client)) {
            RedisGuard guard = RedisGuard.over(transport);
            guard.admit("a", 8);
            redis.command("SCRIPT", "FLUSH");
            guard.run("a", 8, "SET", "k", "v");
            redis.pause();
            assertThatThrownBy(
                            () -> guard.commandTimeout(Duration.ofMillis(200)).admit("a", 9))
                    .isInstanceOf(TransportException.class);
            redis.resume();
            guard.admit("a", 10);
            assertThatThrownBy(() -> guard.admit("a", 9)).isInstanceOf(StaleTokenException.class);
            redis.kill();
            assertThatThrownBy(() -> guard.admit("a", 11)).isInstanceOf(TransportException.class);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aFilterAndAServletGuardAService() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        OverHttp.mapFilter(context, dataSource);
        context.addServlet(new ServletHolder(new OverHttp.LotteryServlet(dataSource)), "/lottery/*");
        server.setHandler(context);
        server.start();
        try {
            URI service = URI.create("http://127.0.0.1:" + connector.getLocalPort());
            assertThat(OverHttp.put(leasehold, service, "7,8,9")).isEqualTo(200);
            assertThat(read("SELECT winners FROM lottery")).isEqualTo("7,8,9");
            try (Lease lease = leasehold.lock("lottery:2026-11-21").acquire()) {
                assertThat(Long.parseLong(read("SELECT fence FROM leasehold_fence")))
                        .isLessThan(lease.fencingToken());
            }
            // First the servlet's guard refuses the request, then the filter.
            execute("UPDATE lottery SET fence = " + LATER);
            assertThat(OverHttp.put(leasehold, service, "late")).isEqualTo(409);
            execute("UPDATE lottery SET fence = 0");
            execute("UPDATE leasehold_fence SET fence = " + LATER);
            assertThat(OverHttp.put(leasehold, service, "late")).isEqualTo(409);
            assertThat(read("SELECT winners FROM lottery")).isEqualTo("7,8,9");
            assertThat(withoutToken("PUT", service)).isEqualTo(400);
            // The servlet has no doGet, so this status shows that the request reached it.
            assertThat(withoutToken("GET", service)).isEqualTo(405);
        } finally {
            server.stop();
        }
    }

    private static int withoutToken(String method, URI service) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(service.resolve("/lottery/2026-11-21"))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }
}
