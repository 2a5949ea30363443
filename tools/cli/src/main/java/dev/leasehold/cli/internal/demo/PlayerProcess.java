package dev.leasehold.cli.internal.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The director's handle on a player's process: sends orders and signals, and reads records. Thread-safe. */
final class PlayerProcess {

    private final int number;
    private final Process process;
    private final Notes notes;
    private volatile boolean mayEnd;

    private PlayerProcess(int number, Process process, Notes notes) {
        this.number = number;
        this.process = process;
        this.notes = notes;
    }

    /**
     * Starts a JVM like this one; a lease of zero means that the player uses no lock. It ignores SIGINT: Ctrl-C reaches all
     * processes of a terminal, and the director ends the others.
     */
    static PlayerProcess start(Class<?> main, int number, String uri, String prefix, Duration lease, Notes notes) {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "/bin/sh",
                        "-c",
                        "trap '' INT; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Xmx64m",
                        // The demonstration provokes the loss of a lease, so no warning is due.
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        String.valueOf(number),
                        prefix,
                        String.valueOf(lease.toMillis())))
                .redirectError(Redirect.INHERIT);
        builder.environment().put(PlayerMain.URI_VARIABLE, uri);
        try {
            PlayerProcess player = new PlayerProcess(number, builder.start(), notes);
            Thread reader = new Thread(player::read, "player-" + number);
            reader.setDaemon(true);
            reader.start();
            return player;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int number() {
        return number;
    }

    long pid() {
        return process.pid();
    }

    void order(String order) {
        try {
            process.getOutputStream().write((order + "\n").getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The process has ended, which the reader records.
        }
    }

    /** Sends a signal, and returns once it is sent. */
    void signal(String name) throws InterruptedException {
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s \"$1\" \"$2\"", "sh", name, "" + process.pid())
                    .redirectError(Redirect.INHERIT)
                    .start();
            if (kill.waitFor() != 0) {
                throw new DemoFailedException("player " + number + " could not be sent SIG" + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process by SIGKILL, and returns once it has ended. */
    void kill() throws InterruptedException {
        mayEnd = true;
        end();
        process.waitFor();
    }

    /** Orders the process to end, and kills it if it does not. */
    void quit() {
        mayEnd = true;
        order("quit");
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
        }
    }

    /** Kills the process immediately, also if it is stopped. */
    void destroy() {
        mayEnd = true;
        end();
    }

    /** Waits until a process that was killed has ended. */
    void awaitEnd() {
        process.onExit().join();
    }

    /** Kills by the handle: {@code Process} would also close the stream, which the reader must read to its end. */
    private void end() {
        process.toHandle().destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                notes.add(Note.parse(line));
            }
        } catch (IOException | RuntimeException e) {
            notes.add(Note.of(Event.FAILED, number, 0, "unreadable record: " + e.getMessage()));
        }
        if (!mayEnd) {
            notes.add(Note.of(Event.FAILED, number, 0, "its process ended"));
        }
    }
}
