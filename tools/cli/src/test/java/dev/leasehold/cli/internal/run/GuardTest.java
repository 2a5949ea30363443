package dev.leasehold.cli.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardTest {

    private static final long LIMIT_SECONDS = 60;

    private final String id = Guard.newId();
    private Process command;

    @AfterEach
    void end() {
        command.destroyForcibly();
    }

    @Test
    void leavesTheCommandAloneWhenItIsDismissed() throws Exception {
        Guard guard = Guard.start(id, Duration.ofSeconds(1));
        command = start(id);
        guard.watch(command);
        guard.dismiss();
        assertThat(command.isAlive()).isTrue();
    }

    @Test
    void endsTheCommandItWatches() throws Exception {
        Guard guard = Guard.start(id, Duration.ofSeconds(1));
        command = start(id);
        guard.watch(command);
        guard.endCommand(command);
        assertThat(command.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(command.exitValue()).isEqualTo(128 + 15);
    }

    /** leasehold is killed after it started the command, before it sent the process id to the guard. */
    @Test
    void findsACommandWhoseIdWasNotSent() throws Exception {
        Guard guard = Guard.start(id, Duration.ofSeconds(1));
        command = start(id);
        guard.endCommand(endedProcess());
        assertThat(command.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(command.exitValue()).isEqualTo(128 + 15);
    }

    /** A short id could occur in the environment of unrelated processes. */
    @Test
    void searchesByAFullIdOnly() throws Exception {
        String prefix = id.substring(0, 31);
        Guard guard = Guard.start(prefix, Duration.ofSeconds(1));
        command = start(id);
        guard.endCommand(endedProcess());
        assertThat(command.isAlive()).isTrue();
    }

    private static Process endedProcess() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        return ended;
    }

    private static Process start(String id) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        builder.environment().put(Guard.VARIABLE, id);
        return builder.start();
    }
}
