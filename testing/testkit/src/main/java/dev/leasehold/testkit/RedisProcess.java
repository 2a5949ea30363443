package dev.leasehold.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One run of a redis-server under the shell wrapper, whose text explains the protocol between the two. Whatever
 * happens to this JVM, the wrapper's standard input ends with it, and then the wrapper kills the server.
 * Thread-safe.
 */
final class RedisProcess {

    private static final String WRAPPER = loadWrapper();
    private static final int GRACE_SECONDS = 10;

    private final Process wrapper;
    private final OutputStream requests;
    private final BufferedReader answers;
    private final long pid;
    private final Queue<String> output = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final ReentrantLock conversation = new ReentrantLock();

    private RedisProcess(Process wrapper) throws IOException {
        this.wrapper = wrapper;
        this.requests = wrapper.getOutputStream();
        this.answers = wrapper.errorReader(StandardCharsets.UTF_8);
        this.pid = Long.parseLong(answer("pid "));
        Thread reader = new Thread(this::readOutput, "leasehold-testkit-redis-" + pid);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the server; returns once it has a process id, which is before it listens. */
    static RedisProcess start(
            Path binary, Path workDirectory, Map<String, String> environment, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", WRAPPER, "redis-wrapper", workDirectory.toString()));
        if (!environment.isEmpty()) {
            // Sets the variables for the server alone, which replaces env, and not for the shell.
            command.add("env");
            environment.forEach((name, value) -> command.add(name + "=" + value));
        }
        command.add(binary.toString());
        command.addAll(arguments);
        try {
            Process wrapper = new ProcessBuilder(command)
                    .directory(workDirectory.toFile())
                    .start();
            return new RedisProcess(wrapper);
        } catch (IOException e) {
            throw new EmbeddedRedisException("The redis-server could not be started through /bin/sh: " + e, e);
        }
    }

    long pid() {
        return pid;
    }

    boolean isAlive() {
        return !ended.isDone();
    }

    /** Returns the text that the server wrote to its standard streams: little, as its log is a file. */
    String output() {
        return String.join("", output);
    }

    /** Waits for the end of the server for at most this time, and returns whether it has ended. */
    boolean awaitEnd(long time, TimeUnit unit) {
        try {
            ended.get(time, unit);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new EmbeddedRedisException("The wrapper of redis-server " + pid + " is gone.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedRedisException("Interrupted while waiting for redis-server " + pid + ".", e);
        }
    }

    /** Sends a signal, such as STOP; it has been sent when this returns. */
    void signal(String name) {
        if (!"ok".equals(ask("signal " + name, ""))) {
            throw new EmbeddedRedisException("redis-server " + pid + " is not running: it cannot get SIG" + name + ".");
        }
    }

    /** Sends SIGKILL, which also ends a stopped process; when this returns the process id is gone. */
    void kill() {
        if (isAlive()) {
            ask("signal KILL", "");
            reap();
        }
    }

    /** Sends SIGTERM, on which a server saves if it is configured to; SIGKILL if that takes too long. */
    void terminate() {
        if (isAlive()) {
            ask("signal CONT", "");
            ask("signal TERM", "");
            if (!awaitEnd(GRACE_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        }
    }

    /** Leaves the work directory to a later run: from now on the end of this run does not delete it. */
    void keepFiles() {
        if (wrapper.isAlive()) {
            ask("keep", "");
        }
    }

    /**
     * Kills the server if it still runs and ends the wrapper, which deletes the work directory unless
     * {@link #keepFiles()} was called.
     */
    void close() {
        try {
            requests.close();
            if (!wrapper.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                throw new EmbeddedRedisException("The wrapper of redis-server " + pid + " did not end.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (wrapper.isAlive()) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                wrapper.destroyForcibly();
            }
        }
    }

    private void readOutput() {
        byte[] buffer = new byte[4096];
        try (InputStream in = wrapper.getInputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                output.add(new String(buffer, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            output.add(e.toString());
        }
        reap();
    }

    private void reap() {
        conversation.lock();
        try {
            if (!ended.isDone()) {
                ended.complete(Integer.valueOf(ask("reap", "exit ")));
            }
        } catch (EmbeddedRedisException | NumberFormatException wrapperGone) {
            // The wrapper was asked to end or was killed. The server has ended too, or close() ends it.
            ended.complete(-1);
        } finally {
            conversation.unlock();
        }
    }

    private String ask(String request, String answerPrefix) {
        conversation.lock();
        try {
            requests.write((request + "\n").getBytes(StandardCharsets.US_ASCII));
            requests.flush();
            return answer(answerPrefix);
        } catch (IOException e) {
            throw new EmbeddedRedisException("The wrapper of redis-server " + pid + " is gone: " + e, e);
        } finally {
            conversation.unlock();
        }
    }

    private String answer(String prefix) throws IOException {
        String line = answers.readLine();
        while (line != null && !isAnswer(line, prefix)) {
            output.add(line + "\n");
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("no answer; it said: " + output());
        }
        return line.substring(prefix.length());
    }

    /**
     * Returns whether the line is an answer. The shell may write error messages to the same stream, for example
     * that a process it should signal is gone.
     */
    private static boolean isAnswer(String line, String prefix) {
        return prefix.isEmpty() ? line.equals("ok") || line.equals("gone") : line.startsWith(prefix);
    }

    private static String loadWrapper() {
        try (InputStream in = RedisProcess.class.getResourceAsStream("redis-wrapper.sh")) {
            if (in == null) {
                throw new IllegalStateException("redis-wrapper.sh is missing beside RedisProcess.class");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
