package dev.leasehold.tck;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Another JVM with the class path of this one, made to be killed and frozen. It is asked by lines on its standard input,
 * and ends with the JVM that started it.
 */
final class ChildJvm implements AutoCloseable {

    private static final int EXIT_SECONDS = 10;

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;

    ChildJvm(Class<?> main, List<String> args) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(args);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    /** Asks, and returns the question with its answer. */
    String ask(String question) {
        questions.println(question);
        return answerTo(question);
    }

    /** The first line that begins so; what a logging library writes in between is passed over. */
    String answerTo(String question) {
        try {
            String line = answers.readLine();
            while (line != null && !line.startsWith(question + " ")) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("the other process ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it without giving it a chance. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Stops it where it is. */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on. */
    void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** In the other JVM: answers questions until nobody asks any more. */
    static void serve(String first, UnaryOperator<String> answer) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println(first);
        for (String question = in.readLine(); question != null; question = in.readLine()) {
            out.println(question + " " + answer.apply(question));
        }
    }
}
