package dev.leasehold.cli.internal.run;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.cli.internal.CliException;
import dev.leasehold.cli.internal.ExitCode;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.event.LossEvent;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One command under one lease, from its start to the release. */
final class GuardedRun {

    private final Lease lease;
    private final Map<String, String> environment;
    private final List<String> command;
    private final Duration killAfter;
    private final Signals signals;
    private final ReleaseNotice notice;
    private final Consumer<String> err;
    private final AtomicReference<@Nullable LossEvent> loss = new AtomicReference<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    GuardedRun(
            Lease lease,
            Map<String, String> environment,
            List<String> command,
            Duration killAfter,
            Signals signals,
            ReleaseNotice notice,
            Consumer<String> err) {
        this.lease = lease;
        this.environment = environment;
        this.command = command;
        this.killAfter = killAfter;
        this.signals = signals;
        this.notice = notice;
        this.err = err;
    }

    /** Runs the command and releases the lease; returns the exit code for this process. */
    int run() throws InterruptedException {
        int code;
        try {
            code = runCommand();
        } catch (IOException e) {
            release();
            throw failure(e);
        }
        return release() ? code : ExitCode.LOST;
    }

    private int runCommand() throws IOException, InterruptedException {
        String id = Guard.newId();
        Guard guard = Guard.start(id, killAfter);
        Process process;
        try {
            process = start(id);
        } catch (IOException e) {
            guard.dismiss();
            throw e;
        }
        guard.watch(process);
        signals.running(guard);
        lease.onLost(event -> {
            loss.set(event);
            err.accept(lost(event));
            guard.endCommand(process);
            ended.complete(null);
        });
        int code = process.waitFor();
        signals.ending();
        if (loss.get() != null) {
            ended.join();
        } else {
            guard.dismiss();
        }
        return code;
    }

    private Process start(String id) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        builder.environment().put(Guard.VARIABLE, id);
        return builder.start();
    }

    /** Releases the lease, and returns whether it was held to the end. */
    private boolean release() throws InterruptedException {
        try {
            lease.release();
            if (!notice.confirmed()) {
                err.accept("Redis did not confirm the release of lock '" + Text.name(lease.name())
                        + "': the lock is free when its lease has ended");
            }
            return loss.get() == null;
        } catch (LeaseLostException e) {
            if (loss.get() == null) {
                err.accept(e.getMessage() == null ? e.toString() : e.getMessage());
            }
            return false;
        }
    }

    private static String lost(LossEvent event) {
        String detail = event.detail() == null ? "" : ", " + event.detail();
        return "the lease of lock '" + Text.name(event.lockName()) + "' was lost after "
                + event.held().toMillis() + " ms (" + event.cause() + detail
                + "): ending the command, as another client may hold the lock";
    }

    private CliException failure(IOException e) {
        String program = command.get(0);
        boolean found = program.contains(File.separator) ? new File(program).exists() : isOnPath(program);
        return found
                ? new CliException(ExitCode.NOT_EXECUTABLE, "'" + program + "' cannot be executed", e)
                : new CliException(ExitCode.NOT_FOUND, "command '" + program + "' not found", e);
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && List.of(path.split(File.pathSeparator)).stream().anyMatch(dir -> new File(dir, program).isFile());
    }
}
