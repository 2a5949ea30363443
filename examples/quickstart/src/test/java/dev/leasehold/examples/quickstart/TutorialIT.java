package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/tutorial/first-lock.md}, each in processes of its own, say what the tutorial says. */
@Tag("long")
@WithRedis
class TutorialIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String DATABASE = "jdbc:h2:./target/lottery";

    /** The statements that the tutorial gives to the shell of H2. */
    private static final Pattern STATEMENTS = Pattern.compile("-sql \"([^\"]+)\"");

    private final EmbeddedRedis redis;
    private final List<Program> programs = new ArrayList<>();
    private List<String> statements = List.of();

    TutorialIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    /** A program of the tutorial that runs, and what it has printed. */
    private record Program(Process process, Path output) {

        void awaitText(String text) {
            await().atMost(LIMIT).until(() -> Documents.read(output).contains(text));
        }

        void pressEnter() throws IOException {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
        }

        String end() throws InterruptedException {
            assertThat(process.waitFor()).as(Documents.read(output)).isZero();
            return Documents.read(output);
        }

        void signal(String name) throws IOException, InterruptedException {
            Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(process.pid())).start();
            assertThat(kill.waitFor()).isZero();
        }
    }

    @BeforeEach
    void createTheTable() throws IOException, SQLException {
        RedirectingProvider.leadTo(redis.uri());
        Files.deleteIfExists(Path.of("target", "lottery.mv.db"));
        statements = STATEMENTS
                .matcher(Documents.read(Documents.ROOT.resolve("docs/tutorial/first-lock.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(statements).hasSize(2);
        try (Connection database = DriverManager.getConnection(DATABASE);
                Statement create = database.createStatement()) {
            create.execute(statements.get(0));
        }
    }

    @AfterEach
    void end() {
        programs.forEach(program -> program.process().destroyForcibly());
    }

    private Program start(String name, String... arguments) throws IOException {
        Path output = Files.createTempFile(Path.of("target"), name, ".out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + RedirectingProvider.SERVER + "=" + redis.uri(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.leasehold.examples.quickstart.tutorial." + name));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Program program = new Program(process, output);
        programs.add(program);
        return program;
    }

    @Test
    void theSecondProcessIsToldWhoHoldsTheLock() throws Exception {
        Program first = start("FirstLock");
        first.awaitText("held, with token");
        assertThat(start("FirstLock").end())
                .contains("another process holds it")
                .contains("lottery:2026-11-21");
        first.pressEnter();
        first.end();
        Program next = start("FirstLock");
        next.awaitText("held, with token");
        assertThat(token(next)).isGreaterThan(token(first));
        next.pressEnter();
        next.end();
    }

    private static long token(Program program) {
        Matcher token = Pattern.compile("held, with token (\\d+)").matcher(Documents.read(program.output()));
        assertThat(token.find()).isTrue();
        return Long.parseLong(token.group(1));
    }

    /** Taking the lock away stands for the 30 s that a reader waits for the expiry. */
    @Test
    void theDatabaseRefusesTheFrozenHolder() throws Exception {
        Program frozen = start("Draw", "1,2,3");
        frozen.awaitText("press Enter to write");
        frozen.signal("STOP");
        try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379")) {
            leasehold.lock("lottery:2026-11-21").forceRelease();
        }
        Program next = start("Draw", "7,8,9");
        next.awaitText("press Enter to write");
        next.pressEnter();
        assertThat(next.end().lines()).contains("written");
        frozen.pressEnter();
        frozen.signal("CONT");
        String late = frozen.end();
        assertThat(late.lines()).doesNotContain("written");
        assertThat(late)
                .contains("refused: the fencing token " + token(frozen) + " is stale")
                .contains("which has seen " + token(next))
                .contains("lost: the lease of lock 'lottery:2026-11-21'");
        try (Connection database = DriverManager.getConnection(DATABASE);
                Statement select = database.createStatement();
                ResultSet row = select.executeQuery(statements.get(1))) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString("winners")).isEqualTo("7,8,9");
        }
    }
}
