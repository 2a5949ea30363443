package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run of the command line on a pseudo terminal, which script(1) of util-linux opens. A shell around it records the
 * settings of the terminal before and after.
 */
final class PseudoTerminal implements AutoCloseable {

    private static final String SCRIPT = """
            stty rows %d cols %d && tty >"$DIR/tty" && stty -g >"$DIR/before"
            sh -c 'echo $$ >"$DIR/pid"; exec "$@"' sh %s
            code=$?
            stty -g >"$DIR/after"
            exit $code
            """;

    /** The sequence that puts the cursor at the beginning of the first line, with which each drawing starts. */
    private static final String FIRST_LINE = "\u001b[1;1H";

    private final Path directory;
    private final Process process;

    private PseudoTerminal(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    static PseudoTerminal start(int columns, int rows, String... args) {
        try {
            Path directory = Files.createTempDirectory("leasehold-terminal-test");
            Stream.of("", "out", "err", "tty", "pid", "before", "after")
                    .forEach(file -> directory.resolve(file).toFile().deleteOnExit());
            String words = CliProcess.command(args).stream()
                    .map(word -> "'" + word.replace("'", "'\\''") + "'")
                    .collect(Collectors.joining(" "));
            ProcessBuilder builder = new ProcessBuilder(
                            List.of("script", "-qefc", String.format(SCRIPT, rows, columns, words), "/dev/null"))
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile());
            builder.environment().remove("LEASEHOLD_REDIS");
            builder.environment().put("LC_ALL", "C.UTF-8");
            builder.environment().put("TERM", "xterm-256color");
            builder.environment().put("SHELL", "/bin/sh");
            builder.environment().put("DIR", directory.toString());
            return new PseudoTerminal(directory, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void press(String keys) {
        try {
            process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes the size, which sends SIGWINCH to the command line. */
    void resize(int columns, int rows) {
        try {
            Process stty = new ProcessBuilder("stty", "-F", read("tty"), "cols", "" + columns, "rows", "" + rows)
                    .inheritIO()
                    .start();
            assertThat(stty.waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends a signal to the command line. */
    void signal(String name) {
        CliProcess.signal(name, ProcessHandle.of(Long.parseLong(read("pid"))).orElseThrow());
    }

    /** Returns all that the terminal received, with its control sequences. */
    String out() {
        return read("out");
    }

    /** Returns the last drawing, with its control sequences. */
    String drawing() {
        // Read once: what a second reading finds may begin further on.
        String out = out();
        return out.substring(Math.max(0, out.lastIndexOf(FIRST_LINE)));
    }

    void awaitDrawing(String... parts) {
        awaitDrawing(drawing -> assertThat(drawing).contains(parts));
    }

    void awaitDrawing(Consumer<String> check) {
        await().atMost(CliProcess.LIMIT).untilAsserted(() -> check.accept(drawing()));
    }

    int exitCode() {
        try {
            assertThat(process.waitFor(CliProcess.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("ended; out: %s", out())
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asserts that the screen, the cursor, and the settings of the terminal are as before. */
    void assertRestored() {
        assertThat(out()).contains("\u001b[?1049h", "\u001b[?25l");
        assertThat(drawing()).contains("\u001b[?1049l").containsPattern("\u001b\\[[?0-9;]*25h");
        assertThat(read("after")).isNotEmpty().isEqualTo(read("before"));
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
