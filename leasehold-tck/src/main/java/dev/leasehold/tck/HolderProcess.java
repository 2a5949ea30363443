package dev.leasehold.tck;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * Another JVM that holds a lock, made to be killed and frozen. It is asked by lines on its standard input, and ends with
 * the JVM that started it.
 */
public final class HolderProcess implements AutoCloseable {

    private static final int EXIT_SECONDS = 10;

    private final Process process;
    private final BufferedReader answers;
    private final PrintStream questions;
    private final long token;

    private HolderProcess(Process process) {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.questions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.token = Long.parseLong(answerTo("token").substring("token ".length()));
    }

    /**
     * Starts a JVM that acquires a lock, and waits until it holds it.
     *
     * @param uri the server; the adapter is found on this JVM's own class path
     * @param name the lock
     * @param lease the lease time, renewed
     * @return the process, holding
     */
    public static HolderProcess start(String uri, String name, Duration lease) {
        try {
            return new HolderProcess(new ProcessBuilder(List.of(
                            ProcessHandle.current().info().command().orElse("java"),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            HolderProcess.class.getName(),
                            uri,
                            name,
                            lease.toString()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The fencing token of its lease.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Asks the process.
     *
     * @param question {@code held}, {@code losses} (waits for the first) or {@code release}
     * @return the question and its answer
     */
    public String ask(String question) {
        questions.println(question);
        return answerTo(question);
    }

    /** Ends it without giving it a chance. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Stops it where it is. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** The first line that begins so; what a logging library writes in between is passed over. */
    private String answerTo(String question) {
        try {
            String line = answers.readLine();
            while (line != null && !line.startsWith(question + " ")) {
                line = answers.readLine();
            }
            if (line == null) {
                throw new IllegalStateException("the holder process ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * The other process.
     *
     * @param args URI, name and lease time
     * @throws Exception whatever goes wrong
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.parse(args[2])).build();
        AtomicInteger losses = new AtomicInteger();
        try (Leasehold leasehold = Leasehold.connect(args[0])) {
            Lease lease = leasehold.lock(args[1]).with(options).acquire();
            lease.onLost(event -> losses.incrementAndGet());
            out.println("token " + lease.fencingToken());
            for (String question = in.readLine(); question != null; question = in.readLine()) {
                out.println(question + " " + answer(question, lease, losses));
            }
        }
    }

    private static String answer(String question, Lease lease, AtomicInteger losses) {
        return switch (question) {
            case "held" -> Boolean.toString(lease.isHeld());
            case "losses" -> {
                Awaitility.await().until(() -> losses.get() > 0);
                yield Integer.toString(losses.get());
            }
            case "release" -> {
                try {
                    lease.release();
                    yield "ok";
                } catch (RuntimeException e) {
                    yield e.getClass().getSimpleName() + " " + e.getMessage();
                }
            }
            default -> "what?";
        };
    }
}
