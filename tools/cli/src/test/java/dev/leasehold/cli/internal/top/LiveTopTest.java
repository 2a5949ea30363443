package dev.leasehold.cli.internal.top;

import static dev.leasehold.cli.internal.LockInfos.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.cli.CliProcess;
import dev.leasehold.cli.internal.LockInfos;
import dev.leasehold.cli.internal.LockOrder;
import dev.leasehold.inspect.LockInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop on a terminal of JLine's that is made of pipes, with readings that the test chooses. */
class LiveTopTest {

    private static final String ENTERED = "\u001b[?1049h";
    private static final String LEFT = "\u001b[?1049l";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PipedOutputStream keyboard = new PipedOutputStream();
    private final TopModel model = new TopModel(Clock.fixed(NOON, ZoneOffset.UTC));
    private final LiveTop top = new LiveTop(
            model,
            new TopControls(LockOrder.NAME, ""),
            new TopScreen("redis://one:6379", Duration.ofSeconds(2), ZoneOffset.UTC));

    private Terminal terminal;

    @BeforeEach
    void open() throws IOException {
        terminal = TerminalBuilder.builder()
                .streams(new PipedInputStream(keyboard), out)
                .type("xterm-256color")
                .encoding(StandardCharsets.UTF_8)
                .size(Size.of(100, 12))
                .build();
    }

    @AfterEach
    void close() throws IOException {
        terminal.close();
    }

    @Test
    void leavesByAKeyAndRestoresTheTerminal() throws Exception {
        CompletableFuture<Integer> result = show(always(LockInfos.named("order-17")));
        awaitOut("order-17  lock");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(ENTERED).doesNotContain(LEFT);
        assertThat(terminal.getAttributes().getLocalFlag(LocalFlag.ECHO)).isFalse();
        press("q");
        assertThat(result.get(60, TimeUnit.SECONDS)).isZero();
        assertRestored();
    }

    @Test
    void leavesWithTheExitCodeOfASignal() throws Exception {
        CompletableFuture<Integer> result = show(always(List.of()));
        top.leave(143);
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(143);
        assertRestored();
    }

    @Test
    void leavesWhenTheKeyboardIsGone() throws Exception {
        CompletableFuture<Integer> result = show(always(List.of()));
        awaitOut("0 of 0");
        keyboard.close();
        assertThat(result.get(60, TimeUnit.SECONDS)).isZero();
        assertRestored();
    }

    @Test
    void restoresTheTerminalAfterAnException() {
        CompletableFuture<Integer> result =
                show(() -> new Reading(List.of(), Set.of(), new IllegalStateException("a bug")));
        assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasRootCauseMessage("a bug");
        assertRestored();
    }

    @Test
    void staysWhileRedisIsGone() throws Exception {
        LockUnavailableException gone = new LockUnavailableException("order-17", false, "refused", null);
        CompletableFuture<Integer> result = show(() -> new Reading(List.of(), Set.of(), gone));
        awaitOut("Redis gives no answer");
        assertThat(result).isNotDone();
        press("q");
        assertThat(result.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void drawsAnewInAnotherSize() throws Exception {
        CompletableFuture<Integer> result = show(always(LockInfos.many(100)));
        awaitOut("1-8 of 100");
        terminal.setSize(Size.of(100, 24));
        top.resize();
        awaitOut("1-20 of 100");
        press("\u001b[6~");
        awaitOut("21-40 of 100");
        press("q");
        assertThat(result.get(60, TimeUnit.SECONDS)).isZero();
    }

    private static Supplier<Reading> always(List<LockInfo> locks) {
        return () -> new Reading(locks, Set.of(), null);
    }

    private CompletableFuture<Integer> show(Supplier<Reading> source) {
        return CompletableFuture.supplyAsync(() -> {
            try (TerminalScreen screen = new TerminalScreen(terminal)) {
                return top.show(screen, new Poller(source, Duration.ofMillis(10)));
            } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }

    private void press(String keys) throws IOException {
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    private void awaitOut(String text) {
        await().atMost(CliProcess.LIMIT)
                .untilAsserted(
                        () -> assertThat(out.toString(StandardCharsets.UTF_8)).contains(text));
    }

    private void assertRestored() {
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\u001b[?7h", "\u001b[?25h", LEFT);
    }
}
