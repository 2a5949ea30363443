package dev.leasehold.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.job.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two JVMs whose locks are those of the JDK, each unknown to the other JVM: together they exclude nothing. */
class FleetTest {

    private static final String NOWHERE = "redis://127.0.0.1:1";

    private static final Message OPEN = Message.of("open").with("subject", "JDK");
    private static final Message START = Message.of("start")
            .with("job", "contend")
            .with("writes", 100)
            .with("place", 0)
            .with("lock", "one")
            .with("threads", 2)
            .with("work", 1_000_000);

    private static Fleet fleet;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        fleet = Fleet.start(2, 32, Worker.class, NOWHERE, 1);
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @BeforeEach
    void begin() {
        fleet.all(Message.of("close"));
        fleet.witness().clear();
        fleet.all(OPEN);
        fleet.all(START);
    }

    @Test
    void findsNothingWrongWithinOneJvm() {
        Message done = fleet.one(1, go());
        assertThat(done.number("pairs")).isPositive();
        assertThat(done.number("cpu")).isPositive();
        assertThat(done.number("handovers")).isZero();
        assertThat(done.number("stuck")).isZero();
        assertThat(done.text("error")).isEmpty();
    }

    /** On a busy machine the turn of one JVM may end before that of the other begins: then they take another. */
    @Test
    void findsTwoProcessesInOneLock() {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            begin();
            assertThatThrownBy(() -> fleet.all(go()))
                    .isInstanceOf(IncorrectException.class)
                    .hasMessageContaining("lock 0: thread ")
                    .hasMessageContaining(" entered while thread ");
        });
    }

    @Test
    void continuesAfterAnOrderThatOneJvmCannotObey() {
        Message nonsense = Message.of("start").with("job", "nothing");
        assertThatThrownBy(() -> fleet.each(n -> n == 0 ? nonsense : Message.of("usage")))
                .isInstanceOf(IncorrectException.class)
                .hasMessageContaining("IllegalArgumentException: there is no job nothing");
        assertThat(fleet.all(Message.of("clock"))).extracting(Message::verb).containsOnly("clock");
    }

    @Test
    void comparesTimesOfTwoProcesses() {
        long before = System.nanoTime();
        List<Message> clocks = fleet.all(Message.of("clock"));
        long after = System.nanoTime();
        assertThat(clocks)
                .extracting(clock -> clock.number("nanos"))
                .allMatch(nanos -> nanos >= before && nanos <= after);
    }

    @Test
    void endsWhenItsParentIsGoneWhateverItIsDoing() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        NOWHERE,
                        directory.resolve("witness").toString(),
                        "1")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader answers = process.inputReader();
                Writer orders = process.outputWriter()) {
            for (Message order : List.of(OPEN, START)) {
                orders.write(order.line() + "\n");
                orders.flush();
                assertThat(answers.readLine()).isEqualTo("ok");
            }
            long now = System.nanoTime();
            orders.write(Message.of("go")
                            .with("begin", now)
                            .with("end", now + TimeUnit.HOURS.toNanos(1))
                            .line() + "\n");
            // A child sees nothing else of a parent that was killed.
            orders.close();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Message go() {
        long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
        return Message.of("go").with("begin", begin).with("end", begin + TimeUnit.MILLISECONDS.toNanos(300));
    }
}
