package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.internal.ClassArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A run of the command line in a process of its own, with its output in files. */
public final class CliProcess implements AutoCloseable {

    /** A generous limit, as the machine may be busy. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final Path directory;

    private CliProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /** Starts the command line with an empty standard input. */
    public static CliProcess start(String... args) {
        return start(Map.of(), "", args);
    }

    /** Starts the command line as a build in the background is started: with SIGINT ignored. */
    public static CliProcess startWithInterruptsIgnored(String... args) {
        return start(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"), Map.of(), "", args);
    }

    /**
     * Returns whether processes that this JVM starts ignore SIGINT. They inherit that, as from a shell that ran the build in the
     * background, and neither a shell nor a JVM can end it.
     */
    public static boolean interruptsAreIgnored() {
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", "kill -s INT $$; exit 0")
                    .inheritIO()
                    .start();
            return shell.waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts the command line with additional environment variables and a text as its standard input. */
    public static CliProcess start(Map<String, String> environment, String input, String... args) {
        return start(List.of(), environment, input, args);
    }

    private static CliProcess start(
            List<String> starter, Map<String, String> environment, String input, String... args) {
        try {
            Path directory = Files.createTempDirectory("leasehold-cli-test");
            // Deleted in reverse order when this JVM ends.
            Stream.of("", "in", "out", "err")
                    .forEach(file -> directory.resolve(file).toFile().deleteOnExit());
            Path in = Files.writeString(directory.resolve("in"), input);
            List<String> command = new ArrayList<>(starter);
            command.addAll(command(args));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(in.toFile())
                    .redirectOutput(directory.resolve("out").toFile())
                    .redirectError(directory.resolve("err").toFile());
            builder.environment().remove("LEASEHOLD_REDIS");
            builder.environment().put("LC_ALL", "C.UTF-8");
            builder.environment().putAll(environment);
            return new CliProcess(builder.start(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the words that start the command line in a process. */
    static List<String> command(String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ClassArchive.options(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), CliProcess::train));
        command.add(Main.class.getName());
        command.addAll(Arrays.asList(args));
        return command;
    }

    /** Runs 'run', which loads most of the classes that any subcommand needs. */
    private static void train(Consumer<List<String>> jvm) {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            jvm.accept(List.of(Main.class.getName(), "run", "--redis", redis.uri(), "training", "--", "true"));
        }
    }

    /** Runs the command line to its end. */
    public static CliProcess run(String... args) {
        CliProcess cli = start(args);
        cli.exitCode();
        return cli;
    }

    /** Starts 'run' with the lock "job"; leading arguments that begin with two dashes are its options, the rest is the command. */
    public static CliProcess runJob(String uri, String... optionsAndCommand) {
        List<String> options = Stream.of(optionsAndCommand)
                .takeWhile(word -> word.startsWith("--"))
                .toList();
        List<String> command = Stream.of(optionsAndCommand).skip(options.size()).toList();
        return start(Stream.of(List.of("run", "--redis", uri), options, List.of("job", "--"), command)
                .flatMap(List::stream)
                .toArray(String[]::new));
    }

    /** Starts 'run' with the lock "job" and a script of the shell. */
    public static CliProcess runScript(String uri, String script, String... options) {
        return runJob(
                uri,
                Stream.concat(Stream.of(options), Stream.of("sh", "-c", script)).toArray(String[]::new));
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public int exitCode() {
        try {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("ended; out: %s, err: %s", out(), err())
                    .isTrue();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public String out() {
        return read("out");
    }

    public String err() {
        return read("err");
    }

    public void awaitOut(String text) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(out()).as("err: %s", err()).contains(text));
    }

    /** Waits for a line of output that begins with a word, and returns the number after it. */
    public long numberAfter(String word) {
        awaitOut(word);
        return out().lines()
                .filter(line -> line.startsWith(word + " "))
                .mapToLong(
                        line -> Long.parseLong(line.substring(word.length() + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** Asserts that standard error has one line of message and no stack trace. */
    public void assertOneLineError(String... parts) {
        CliResult.assertOneLine(err(), parts);
    }

    /** Sends a signal to all given processes by one call. */
    public static void signal(String name, ProcessHandle... targets) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "kill -s \"$@\"", "sh", name));
        Arrays.stream(targets).map(target -> String.valueOf(target.pid())).forEach(command::add);
        try {
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file), StandardCharsets.UTF_8);
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
