package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command line {@code run}: processes that wait, are signalled, killed or stopped, or lose their lease. */
class RunSignalsIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

    // Not HUP and INT: a test run under nohup or in the background ignores them, and so does every child.
    private static final List<String> SIGNALS = List.of("TERM", "USR1", "USR2");
    private static final String KEY = "leasehold:{job}";

    private static Leasehold leasehold;

    @BeforeAll
    static void connect() {
        leasehold = Leasehold.connect(REDIS.uri());
    }

    @AfterAll
    static void close() {
        leasehold.close();
    }

    @Tag("long")
    @Test
    void waitsForTheLockWithoutALimit() {
        try (CliProcess holder = runScript("echo pid $$; exec sleep 60");
                CliProcess waiter = startAfter(holder, "pid", "--wait=forever", "echo", "acquired")) {
            await().atMost(CliProcess.LIMIT).until(() -> clients() >= 2);
            CliProcess.signal("TERM", holder.handle());
            assertThat(waiter.exitCode()).isZero();
            assertThat(waiter.out()).isEqualTo("acquired\n");
        }
    }

    @Test
    void passesEachSignalOnOnceAndReleasesWhenTheCommandHasEnded() {
        try (CliProcess cli = runScript(countingSignals())) {
            cli.awaitOut("ready");
            for (String signal : SIGNALS) {
                CliProcess.signal(signal, cli.handle());
                cli.awaitOut("got " + signal);
            }
            assertThat(cli.out().lines().filter(line -> line.startsWith("got"))).hasSize(SIGNALS.size());
            assertThat(leasehold.lock("job").inspect())
                    .as("held while the command runs")
                    .isPresent();
            CliProcess.signal("KILL", command(cli));
            assertThat(cli.exitCode()).isEqualTo(137);
            assertFree();
        }
    }

    /** Ctrl-C reaches the whole process group, including the command. A second SIGINT makes many tools give up. */
    @Tag("long")
    @Test
    void doesNotRepeatASignalThatReachedTheWholeGroup() {
        try (CliProcess cli = runScript(countingSignals())) {
            cli.awaitOut("ready");
            CliProcess.signal("TERM", guard(cli), command(cli), cli.handle());
            cli.awaitOut("got TERM");
            CliProcess.signal("USR1", cli.handle());
            cli.awaitOut("got USR1");
            assertThat(cli.out().lines().filter(line -> line.startsWith("got"))).hasSize(2);
        }
    }

    @Tag("long")
    @Test
    void endsByASignalWhileItWaitsForTheLock() {
        try (CliProcess holder = runScript("echo pid $$; exec sleep 60");
                CliProcess waiter = startAfter(holder, "pid", "--wait=forever", "echo", "acquired")) {
            await().atMost(CliProcess.LIMIT).until(() -> clients() >= 2);
            CliProcess.signal("TERM", waiter.handle());
            assertThat(waiter.exitCode()).isEqualTo(143);
            assertThat(waiter.out()).isEmpty();
            assertThat(holder.isAlive()).isTrue();
        }
    }

    @Test
    void endsTheCommandAndItsDescendantsWhenTheLeaseIsLost() {
        try (CliProcess cli = runScript(family(), "--lease=6s", "--kill-after=5s")) {
            List<ProcessHandle> family = awaitFamily(cli);
            REDIS.server().command("DEL", KEY);
            assertThat(cli.exitCode()).isEqualTo(76);
            // There may also be warnings, for example of a connection that was replaced on a busy machine.
            assertThat(cli.err().lines().filter(line -> line.startsWith("leasehold: ")))
                    .singleElement()
                    .asString()
                    .contains("the lease of lock 'job' was lost", "DELETED");
            assertThat(cli.out()).contains("got TERM");
            // A zombie counts as alive until init has reaped it.
            await().atMost(CliProcess.LIMIT).until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Tag("long")
    @Test
    void endsTheCommandAndItsDescendantsWhenItIsKilled() {
        try (CliProcess cli = runScript(family(), "--kill-after=5s")) {
            List<ProcessHandle> family = awaitFamily(cli);
            ProcessHandle guard = guard(cli);
            CliProcess.signal("KILL", cli.handle());
            await().atMost(CliProcess.LIMIT).until(() -> cli.out().contains("got TERM"));
            await().atMost(CliProcess.LIMIT).until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
            await().atMost(CliProcess.LIMIT).until(() -> !guard.isAlive());
        }
    }

    @Tag("long")
    @Test
    void endsACommandThatIsStopped() {
        try (CliProcess cli = runScript("trap 'echo got TERM; exit 0' TERM; echo ready; while :; do sleep 0.1; done")) {
            cli.awaitOut("ready");
            CliProcess.signal("STOP", command(cli));
            CliProcess.signal("KILL", cli.handle());
            cli.awaitOut("got TERM");
        }
    }

    @Tag("long")
    @Test
    void keepsProcessesThatTheCommandLeftInTheBackground() {
        try (CliProcess cli = runScript("sleep 60 & echo left $!; exit 0")) {
            assertThat(cli.exitCode()).isZero();
            ProcessHandle left = ProcessHandle.of(cli.numberAfter("left")).orElseThrow();
            assertThat(left.isAlive()).isTrue();
            left.destroyForcibly();
            assertFree();
        }
    }

    @Test
    void reportsAnUnconfirmedRelease() {
        try (CliProcess cli = runScript("echo ready; trap 'exit 3' TERM; while :; do sleep 0.1; done", "--lease=8s")) {
            cli.awaitOut("ready");
            REDIS.server().kill();
            CliProcess.signal("TERM", command(cli));
            assertThat(cli.exitCode()).isEqualTo(3);
            assertThat(cli.err()).contains("Redis did not confirm the release of lock 'job'");
        }
    }

    private static CliProcess run(String... optionsAndCommand) {
        return CliProcess.runJob(REDIS.uri(), optionsAndCommand);
    }

    private static CliProcess runScript(String script, String... options) {
        return CliProcess.runScript(REDIS.uri(), script, options);
    }

    private static CliProcess startAfter(CliProcess first, String sign, String... optionsAndCommand) {
        first.awaitOut(sign);
        return run(optionsAndCommand);
    }

    /** Prints each signal it receives immediately, so that two of a kind are distinguishable, until it is killed. */
    private static String countingSignals() {
        String traps = SIGNALS.stream()
                .map(signal -> "trap 'echo got " + signal + "' " + signal + ";")
                .collect(Collectors.joining());
        return traps + " echo ready; while :; do sleep 5 & wait $!; done";
    }

    /** A command with a child, a child that ignores SIGTERM, and a grandchild. */
    private static String family() {
        return "sleep 60 & echo child $!; (trap '' TERM; sleep 60 & echo grandchild $!; wait) & echo stubborn $!;"
                + " trap 'echo got TERM; exit 0' TERM; echo command $$; while :; do sleep 0.1; done";
    }

    private static List<ProcessHandle> awaitFamily(CliProcess cli) {
        return Stream.of("child", "grandchild", "stubborn", "command")
                .map(word -> ProcessHandle.of(cli.numberAfter(word)).orElseThrow())
                .toList();
    }

    private static ProcessHandle guard(CliProcess cli) {
        return child(cli, true);
    }

    private static ProcessHandle command(CliProcess cli) {
        return child(cli, false);
    }

    private static ProcessHandle child(CliProcess cli, boolean guard) {
        return cli.handle()
                .children()
                .filter(child -> Stream.of(child.info().arguments().orElse(new String[0]))
                                .anyMatch("leasehold-guard"::equals)
                        == guard)
                .findFirst()
                .orElseThrow();
    }

    /** Counts the connections by their client name: at least one for each command line process. */
    private static long clients() {
        String list = String.valueOf(REDIS.server().command("CLIENT", "LIST"));
        return list.lines()
                .filter(line -> line.contains("name=leasehold-cli"))
                .filter(line -> line.contains("cmd=eval"))
                .count();
    }

    private static void assertFree() {
        assertThat(leasehold.inspector().locks()).isEmpty();
    }
}
