package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code top} with a real server, without a terminal and on a pseudo terminal. */
class TopIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

    private static final String HOSTILE = "a\u001b[2J\nroot\u202E\\b";

    private Leasehold leasehold;

    @BeforeEach
    void connect() {
        leasehold = Leasehold.connect(REDIS.uri());
    }

    @AfterEach
    void close() {
        leasehold.close();
    }

    @Test
    void printsTheViewOnceWithoutATerminal() throws Exception {
        leasehold.lock("order-17").ownedBy("billing").acquire();
        leasehold.lock(HOSTILE).acquire();
        try (CliProcess top = CliProcess.run("top", "--redis", REDIS.uri(), "--sort", "age")) {
            assertThat(top.exitCode()).isZero();
            assertThat(top.err()).isEmpty();
            assertThat(top.out().lines()).hasSize(5);
            assertThat(top.out())
                    .contains("2 held, 0 waiting", "order-17", "a\\u001b[2J\\u000aroot\\u202e\\\\b")
                    .doesNotContain("\u001b", "\u202E");
        }
        CliResult filtered = CliResult.of("top", "--redis", REDIS.uri(), "ORDER");
        assertThat(filtered.exitCode()).isZero();
        assertThat(filtered.out().lines()).hasSize(4).last().asString().startsWith("order-17  lock  billing");
    }

    @Tag("full")
    @Test
    void followsLocksThatOtherProcessesAcquireAndLeavesByQ() throws Exception {
        Lease lease = leasehold.lock("order-17").acquire();
        try (PseudoTerminal terminal = start(120, 12)) {
            terminal.awaitDrawing("1 held, 0 waiting", "order-17  lock");
            try (CliProcess other = CliProcess.runScript(REDIS.uri(), "exec sleep 60")) {
                terminal.awaitDrawing(
                        "2 held",
                        "job       lock",
                        String.valueOf(other.handle().pid()));
                CompletableFuture<Lease> waiter =
                        leasehold.lock("job").acquireAsync().toCompletableFuture();
                terminal.awaitDrawing("2 held, 1 waiting");
                waiter.cancel(false);
            }
            lease.release();
            terminal.press("q");
            assertThat(terminal.exitCode()).isZero();
            terminal.assertRestored();
        }
    }

    @Tag("full")
    @Test
    void obeysKeysAndLeavesByCtrlC() throws Exception {
        for (int i = 10; i < 30; i++) {
            leasehold.lock("order-" + i).acquire();
        }
        leasehold.lock(HOSTILE).acquire();
        try (PseudoTerminal terminal = start(120, 12)) {
            terminal.awaitDrawing("1-8 of 21", "a\\u001b[2J");
            terminal.press("\u001b[6~");
            terminal.awaitDrawing("9-16 of 21");
            terminal.press("\u001b[A");
            terminal.awaitDrawing("8-15 of 21");
            terminal.press("s");
            terminal.awaitDrawing("by age");
            terminal.press("/-29");
            terminal.awaitDrawing("filter '-29'", "order-29", "/-29_");
            terminal.press("\r");
            terminal.awaitDrawing("1-1 of 1 ");
            terminal.press("\u0003");
            assertThat(terminal.exitCode()).isZero();
            terminal.assertRestored();
        }
    }

    @Tag("full")
    @Test
    void drawsAnewWhenTheTerminalIsResized() throws Exception {
        leasehold.lock("order-17").acquire();
        try (PseudoTerminal terminal = start(120, 12)) {
            terminal.awaitDrawing("THREAD", "1-1 of 1");
            terminal.resize(40, 4);
            terminal.awaitDrawing(drawing ->
                    assertThat(drawing).contains("order-17", "\u001b[4;1H").doesNotContain("THREAD", "\u001b[5;1H"));
            terminal.resize(120, 30);
            terminal.awaitDrawing("THREAD", "\u001b[30;1H");
            terminal.press("q");
            assertThat(terminal.exitCode()).isZero();
        }
    }

    @Tag("full")
    @Test
    void restoresTheTerminalWhenASignalEndsIt() throws Exception {
        leasehold.lock("order-17").acquire();
        try (PseudoTerminal terminal = start(80, 24)) {
            terminal.awaitDrawing("order-17");
            terminal.signal("TERM");
            assertThat(terminal.exitCode()).isEqualTo(128 + 15);
            terminal.assertRestored();
        }
    }

    @Tag("full")
    @Test
    void keepsTheLastStateDimmedWhileRedisIsGoneAndRecovers() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Leasehold holder = Leasehold.connect(redis.uri())) {
            holder.lock("order-17").acquire();
            try (PseudoTerminal terminal =
                    PseudoTerminal.start(120, 12, "top", "--interval=100ms", "--redis", redis.uri())) {
                terminal.awaitDrawing("1 held", "order-17");
                redis.kill();
                terminal.awaitDrawing("Redis gives no answer", "\u001b[2morder-17");
                redis.restartEmpty();
                holder.lock("report").acquire();
                terminal.awaitDrawing(drawing -> assertThat(drawing)
                        .contains("1 held", "report  lock")
                        .doesNotContain("Redis gives no answer", "order-17"));
                terminal.press("q");
                assertThat(terminal.exitCode()).isZero();
                terminal.assertRestored();
            }
        }
    }

    private static PseudoTerminal start(int columns, int rows) {
        return PseudoTerminal.start(columns, rows, "top", "--interval=100ms", "--redis", REDIS.uri());
    }
}
