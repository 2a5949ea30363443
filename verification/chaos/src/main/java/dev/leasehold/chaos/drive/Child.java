package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.mutant.ClassPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Another JVM with the class path of this one. For one thread at a time. */
final class Child implements AutoCloseable {

    private static final int EXIT_SECONDS = 10;

    final String name;
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream orders;

    /**
     * Starts it.
     *
     * @param first the head of the class path: changed classes, or nothing
     */
    Child(String name, Class<?> main, List<String> arguments, String first) {
        this(name, main, arguments, first, Map.of());
    }

    /**
     * Starts it.
     *
     * @param first the head of the class path: changed classes, or nothing
     * @param environment variables added to the environment
     */
    Child(String name, Class<?> main, List<String> arguments, String first, Map<String, String> environment) {
        this.name = name;
        String classPath = ClassPath.own();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-cp",
                first.isEmpty() ? classPath : first + java.io.File.pathSeparator + classPath));
        String log = System.getProperty("chaos.log");
        if (log != null) {
            command.add("-Dchaos.log=" + log);
        }
        command.add(main.getName());
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    long pid() {
        return process.pid();
    }

    /** Sends a line. */
    void order(String line) {
        orders.println(line);
    }

    /** Returns the rest of the first line with this beginning. */
    String answer(String beginning) {
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length()).trim();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(name + " ended without an answer that begins with " + beginning);
    }

    void signal(String signal) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not die");
        }
    }

    /** Waits until it has ended by itself. */
    boolean ended() throws InterruptedException {
        return process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
