package dev.leasehold.benchmarks.process;

import dev.leasehold.benchmarks.IncorrectException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM that this one started, on the same class path. It answers each line by one line. For use by one thread. */
public final class Child implements AutoCloseable {

    private static final String END = "";

    private final Process process;
    private final BufferedWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private Child(Process process) {
        this.process = process;
        orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::read, "answers-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a JVM with these options that runs this class with these arguments. */
    static Child start(List<String> options, Class<?> main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        try {
            return new Child(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // The end, as below.
        } finally {
            answers.add(END);
        }
    }

    /** Sends an order; the answer must be fetched before the next. */
    void send(Message order) {
        try {
            orders.write(order.line());
            orders.newLine();
            orders.flush();
        } catch (IOException e) {
            throw new IncorrectException("process " + process.pid() + " does not take the order " + order.verb(), e);
        }
    }

    /**
     * Waits for the answer to the last order.
     *
     * @throws IncorrectException if it reports a failure, does not arrive in time, or the process has ended
     */
    Message answer(Duration limit) {
        String line;
        try {
            line = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        if (line == null) {
            throw new IncorrectException("process " + process.pid() + " has not answered for " + limit);
        }
        if (line.equals(END)) {
            throw new IncorrectException("process " + process.pid() + " has ended with status " + status());
        }
        Message answer = Message.parse(line);
        if (answer.verb().equals("failed")) {
            throw new IncorrectException(
                    "process " + process.pid() + ": " + answer.text("kind") + ": " + answer.text("message"));
        }
        return answer;
    }

    /** Returns the exit status. The output of the process ends a little before the process does. */
    private String status() {
        try {
            return process.waitFor(5, TimeUnit.SECONDS) ? String.valueOf(process.exitValue()) : "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /** Ends the process at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
