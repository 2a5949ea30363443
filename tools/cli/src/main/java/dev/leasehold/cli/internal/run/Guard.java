package dev.leasehold.cli.internal.run;

import dev.leasehold.cli.internal.CliException;
import dev.leasehold.cli.internal.ConnectionOptions;
import dev.leasehold.cli.internal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * A shell that ends the command if this process dies while the command runs. It reads a pipe whose other end only this
 * process has open. Its script, {@code guard.sh}, documents the protocol. Thread-safe.
 */
final class Guard {

    /** The environment variable that identifies the command and its descendants. */
    static final String VARIABLE = ConnectionOptions.WITHIN_RUN;

    private static final String SCRIPT = load();
    private static final long MARGIN_MILLIS = 15_000;

    private final Process shell;
    private final Duration gracePeriod;

    private Guard(Process shell, Duration gracePeriod) {
        this.shell = shell;
        this.gracePeriod = gracePeriod;
    }

    /** Returns an id that no other run has: processes found by it are ended. */
    static String newId() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Starts the guard, before the command.
     *
     * @param id the id of this run, which the command receives in its environment as {@link #VARIABLE}
     * @param gracePeriod the time between SIGTERM and SIGKILL
     */
    static Guard start(String id, Duration gracePeriod) {
        String tenths = String.valueOf(Math.max(1, gracePeriod.toMillis() / 100));
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "leasehold-guard", id, tenths)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new Guard(shell, gracePeriod);
        } catch (IOException e) {
            throw new CliException(ExitCode.SOFTWARE, "/bin/sh, which guards the command, cannot be started", e);
        }
    }

    /** Sends the process id of the command to the guard. */
    void watch(Process command) {
        send("child " + command.pid());
    }

    /** Passes a signal on, unless it was sent to the whole process group and so has reached the command. */
    void passOn(String signal) {
        send("signal " + signal);
    }

    /** Ends the guard after the command has ended by itself. */
    void dismiss() {
        send("done");
        await();
    }

    /** Ends the command and its descendants by SIGTERM, and by SIGKILL after the grace period. */
    void endCommand(Process command) {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // The guard has ended, and its pipe is closed: the code below kills the command instead.
        }
        if (!await()) {
            command.descendants().forEach(ProcessHandle::destroyForcibly);
            command.destroyForcibly();
        }
    }

    /** Waits for the guard, and returns whether it ended normally. */
    private boolean await() {
        try {
            return shell.waitFor(gracePeriod.toMillis() + MARGIN_MILLIS, TimeUnit.MILLISECONDS)
                    && shell.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void send(String line) {
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // The guard was killed. The command continues without it, and is still ended when the lease is lost.
        }
    }

    private static String load() {
        try (InputStream in = Guard.class.getResourceAsStream("guard.sh")) {
            if (in == null) {
                throw new IllegalStateException("guard.sh is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
