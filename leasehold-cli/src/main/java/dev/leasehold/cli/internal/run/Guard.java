package dev.leasehold.cli.internal.run;

import dev.leasehold.cli.internal.CliException;
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
 * A shell that stands by while the command runs, and ends it when this process is gone without a farewell: it reads a
 * pipe whose other end only this process holds. Its text explains the protocol. Thread-safe.
 */
final class Guard {

    /** The environment variable by which the command is known, and its descendants. */
    static final String VARIABLE = "LEASEHOLD_RUN";

    private static final String SCRIPT = load();
    private static final long MARGIN_MILLIS = 15_000;

    private final Process shell;
    private final Duration patience;

    private Guard(Process shell, Duration patience) {
        this.shell = shell;
        this.patience = patience;
    }

    /** An id that no other run has: what is found by it is ended. */
    static String newId() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Starts it, before the command.
     *
     * @param id of this run alone, which the environment of the command will have as {@link #VARIABLE}
     * @param patience the time between SIGTERM and SIGKILL
     */
    static Guard start(String id, Duration patience) {
        String tenths = String.valueOf(Math.max(1, patience.toMillis() / 100));
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "leasehold-guard", id, tenths)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new Guard(shell, patience);
        } catch (IOException e) {
            throw new CliException(ExitCode.SOFTWARE, "/bin/sh, which guards the command, cannot be started", e);
        }
    }

    /** Tells it whom to guard. */
    void watch(Process command) {
        tell("child " + command.pid());
    }

    /** Passes a signal on, unless it has reached the command's whole process group anyway. */
    void passOn(String signal) {
        tell("signal " + signal);
    }

    /** The command has ended by itself. */
    void dismiss() {
        tell("done");
        await();
    }

    /** Ends the command and its descendants: SIGTERM, and SIGKILL for what is left after the patience. */
    void endCommand(Process command) {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            // The guard is gone, and its pipe with it: then it is done the hard way below.
        }
        if (!await()) {
            command.descendants().forEach(ProcessHandle::destroyForcibly);
            command.destroyForcibly();
        }
    }

    /** Whether it came to its regular end. */
    private boolean await() {
        try {
            return shell.waitFor(patience.toMillis() + MARGIN_MILLIS, TimeUnit.MILLISECONDS) && shell.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void tell(String line) {
        try {
            OutputStream pipe = shell.getOutputStream();
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // It was killed. The command goes on without a guard, and is still ended when the lease is lost.
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
