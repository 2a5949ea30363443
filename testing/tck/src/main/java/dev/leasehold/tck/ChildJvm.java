package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.internal.ClassArchive;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Another JVM with the class path of this one, which a test can kill and freeze. It takes requests as lines on its
 * standard input, and ends with the JVM that started it.
 */
final class ChildJvm implements AutoCloseable {

    private static final int EXIT_SECONDS = 10;

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;

    ChildJvm(Class<?> main, List<String> args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ClassArchive.options(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                jvm -> jvm.accept(List.of(Training.class.getName()))));
        command.add(main.getName());
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

    /** Sends a question, and returns the question with its answer. */
    String ask(String question) {
        questions.println(question);
        return answerTo(question);
    }

    /** Returns the first line that begins with the question; skips the output of a logging library in between. */
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

    /** Kills the process (SIGKILL). */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Stops the process (SIGSTOP). The signal has been sent when {@code kill} returns, but on a busy machine
     * threads may continue until the one that receives it runs. The method therefore waits until no thread runs.
     */
    void freeze() throws IOException, InterruptedException {
        signal("STOP");
        ContractBase.await().until(this::isStopped);
    }

    private boolean isStopped() throws IOException, InterruptedException {
        Path threads = Path.of("/proc", Long.toString(process.pid()), "task");
        if (!Files.isDirectory(threads)) {
            Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(process.pid())).start();
            try (BufferedReader state = ps.inputReader(StandardCharsets.UTF_8)) {
                return state.readLine().startsWith("T");
            }
        }
        try (Stream<Path> each = Files.list(threads)) {
            for (Path thread : each.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                // "1234 (name) T ...", and a name may contain anything.
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
        }
        return true;
    }

    /** Resumes the process. */
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

    /** Loads most of the classes that children need. */
    static final class Training {

        private Training() {}

        public static void main(String[] args) throws Exception {
            try (EmbeddedRedis redis = EmbeddedRedis.start();
                    Leasehold leasehold = Leasehold.connect(redis.uri())) {
                DistributedLock lock = leasehold.lock("training");
                Lease lease = lock.acquire();
                CompletionStage<Lease> waiter = lock.acquireAsync();
                lease.close();
                waiter.thenCompose(Lease::releaseAsync).toCompletableFuture().join();
            }
        }
    }

    /** Answers questions in the other JVM until its input ends. */
    static void serve(String first, UnaryOperator<String> answer) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println(first);
        for (String question = in.readLine(); question != null; question = in.readLine()) {
            out.println(question + " " + answer.apply(question));
        }
    }
}
