package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunIT {

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

    @Test
    void passesOnOutputInputEnvironmentAndExitCode() {
        String script = "read line; echo \"$line $LEASEHOLD_LOCK $LEASEHOLD_TOKEN\"; exit 7";
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", REDIS.uri());
        try (CliProcess cli = CliProcess.start(environment, "hello\n", "run", "job", "--", "sh", "-c", script)) {
            assertThat(cli.exitCode()).isEqualTo(7);
            assertThat(cli.out()).matches("hello job [1-9][0-9]{15}\n");
            assertThat(cli.err()).isEmpty();
            assertFree();
        }
    }

    /** A shell between this process and the command would drop such a variable. */
    @Test
    void keepsVariablesWithNamesThatNoShellAccepts() {
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", REDIS.uri(), "dotted.name", "kept");
        try (CliProcess cli = CliProcess.start(environment, "", "run", "job", "--", "env")) {
            assertThat(cli.exitCode()).isZero();
            assertThat(cli.out()).contains("dotted.name=kept\n");
        }
    }

    @Test
    void passesTheTokenOfTheLease() {
        try (CliProcess cli = runScript("echo token $LEASEHOLD_TOKEN; exec sleep 60", "--lease=10s")) {
            long token = cli.numberAfter("token");
            assertThat(leasehold.inspector().find("job")).hasValueSatisfying(info -> {
                assertThat(info.fencingToken()).isEqualTo(token);
                assertThat(info.pid()).isEqualTo(cli.handle().pid());
            });
        }
    }

    @Test
    void runsAlongWithOtherReadersAndExcludesWriters() {
        try (CliProcess first = runScript("echo token $LEASEHOLD_TOKEN; exec sleep 60", "--shared");
                CliProcess second = runScript("echo token $LEASEHOLD_TOKEN; exec sleep 60", "--shared")) {
            assertThat(first.numberAfter("token")).isEqualTo(second.numberAfter("token"));
            try (CliProcess alone = runScript("true", "--wait=0")) {
                assertThat(alone.exitCode()).isEqualTo(75);
            }
            try (CliProcess show = CliProcess.start(Map.of("LEASEHOLD_REDIS", REDIS.uri()), "", "show", "job")) {
                assertThat(show.exitCode()).isZero();
                assertThat(show.out()).containsPattern("holds +2\n").containsPattern("shared +yes");
            }
        }
    }

    @Test
    void runsAtMostAsManyCommandsAsThereArePermits() {
        Map<String, String> around = Map.of("LEASEHOLD_REDIS", REDIS.uri(), "LEASEHOLD_TOKEN", "17");
        String[] command = {
            "run", "--permits=2", "job", "--", "sh", "-c", "echo token ${LEASEHOLD_TOKEN:-none}; exec sleep 60"
        };
        try (CliProcess first = CliProcess.start(around, "", command);
                CliProcess second = CliProcess.start(around, "", command)) {
            first.awaitOut("token none");
            second.awaitOut("token none");
            try (CliProcess third = runScript("true", "--permits=2", "--wait=0");
                    CliProcess other = runScript("true", "--permits=3", "--wait=0");
                    CliProcess show = CliProcess.start(Map.of("LEASEHOLD_REDIS", REDIS.uri()), "", "show", "job")) {
                assertThat(third.exitCode()).isEqualTo(75);
                assertThat(other.exitCode()).isEqualTo(64);
                other.assertOneLineError("has 2 permits, not 3");
                assertThat(show.exitCode()).isZero();
                assertThat(show.out()).containsPattern("permits +2 of 2 are held");
            }
        }
    }

    @Test
    void runsUnderAPlainLockWithoutScriptsForARedisUserWithoutTheRightToRunThem() {
        REDIS.server().command("ACL", "SETUSER", "bare", "reset", "on", ">p", "allkeys", "+@all", "-eval", "-evalsha");
        Map<String, String> bare = Map.of("LEASEHOLD_REDIS", REDIS.server().uri("bare", "p"));
        Map<String, String> any = Map.of("LEASEHOLD_REDIS", REDIS.uri());
        String[] command = {
            "run",
            "--plain",
            "--without-scripts",
            "import:17",
            "--",
            "sh",
            "-c",
            "echo token ${LEASEHOLD_TOKEN:-none}; exec sleep 60"
        };
        try (CliProcess holder = CliProcess.start(bare, "", command)) {
            holder.awaitOut("token none");
            try (CliProcess other = CliProcess.start(any, "", "run", "--plain", "--wait=0", "import:17", "--", "true");
                    CliProcess show = CliProcess.start(bare, "", "show", "--plain", "--without-scripts", "import:17");
                    CliProcess doctor = CliProcess.start(bare, "", "doctor", "--without-scripts");
                    CliProcess scripted = CliProcess.start(bare, "", "doctor")) {
                assertThat(other.exitCode()).isEqualTo(75);
                other.assertOneLineError("is held by process " + holder.handle().pid());
                assertThat(show.exitCode()).as(show.err()).isZero();
                assertThat(show.out()).contains("pid         " + holder.handle().pid());
                assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
                assertThat(doctor.out()).contains("fine     rights: All commands of plain locks may run.");
                assertThat(scripted.exitCode()).isEqualTo(1);
                assertThat(scripted.out()).contains("DANGER   rights: ");
            }
        } finally {
            REDIS.server().command("ACL", "DELUSER", "bare");
            REDIS.server().command("DEL", "import:17");
        }
    }

    @Test
    void saysThatAnotherLibraryHoldsAPlainLock() {
        REDIS.server().command("SET", "import:17", "c0ffee", "NX", "PX", "60000");
        try (CliProcess held = CliProcess.start(
                Map.of("LEASEHOLD_REDIS", REDIS.uri()), "", "run", "--plain", "--wait=0", "import:17", "--", "true")) {
            assertThat(held.exitCode()).isEqualTo(75);
            held.assertOneLineError("'import:17' is held by another library, whose lease has ");
        } finally {
            REDIS.server().command("DEL", "import:17");
        }
    }

    @Test
    void refusesInvalidNumbersOfPermits() {
        try (CliProcess none = runScript("true", "--permits=0");
                CliProcess both = runScript("true", "--permits=2", "--shared")) {
            assertThat(none.exitCode()).isEqualTo(64);
            assertThat(both.exitCode()).isEqualTo(64);
            both.assertOneLineError("not together with --shared");
        }
    }

    @Test
    void endsWith128AndTheNumberOfTheSignalThatEndedTheCommand() {
        try (CliProcess cli = runScript("kill -KILL $$")) {
            assertThat(cli.exitCode()).isEqualTo(128 + 9);
            assertFree();
        }
    }

    @Test
    void endsLikeAShellWhenTheCommandCannotBeRun() {
        try (CliProcess missing = run("no-such-command-anywhere");
                CliProcess directory = run("/")) {
            assertThat(missing.exitCode()).isEqualTo(127);
            missing.assertOneLineError("'no-such-command-anywhere' not found");
            assertThat(directory.exitCode()).isEqualTo(126);
            directory.assertOneLineError("'/' cannot be executed");
            assertFree();
        }
    }

    @Test
    void endsWith75WhenAnotherClientHoldsTheLock() {
        try (CliProcess holder = runScript("echo pid $$; exec sleep 60")) {
            holder.awaitOut("pid");
            try (CliProcess cli = run("--wait=300ms", "echo", "ran")) {
                assertThat(cli.exitCode()).isEqualTo(75);
                assertThat(cli.out()).isEmpty();
                cli.assertOneLineError(
                        "lock 'job' is held by process " + holder.handle().pid(), "for all of 300 ms");
            }
            assertThat(holder.isAlive()).isTrue();
        }
    }

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
            assertThat(leasehold.inspector().find("job"))
                    .as("held while the command runs")
                    .isPresent();
            CliProcess.signal("KILL", command(cli));
            assertThat(cli.exitCode()).isEqualTo(137);
            assertFree();
        }
    }

    /** Ctrl-C reaches the whole process group, including the command. A second SIGINT makes many tools give up. */
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
        try (CliProcess cli = runScript(family(), "--lease=2s", "--kill-after=1s")) {
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

    @Test
    void endsTheCommandAndItsDescendantsWhenItIsKilled() {
        try (CliProcess cli = runScript(family(), "--kill-after=1s")) {
            List<ProcessHandle> family = awaitFamily(cli);
            ProcessHandle guard = guard(cli);
            CliProcess.signal("KILL", cli.handle());
            await().atMost(CliProcess.LIMIT).until(() -> cli.out().contains("got TERM"));
            await().atMost(CliProcess.LIMIT).until(() -> family.stream().noneMatch(ProcessHandle::isAlive));
            await().atMost(CliProcess.LIMIT).until(() -> !guard.isAlive());
        }
    }

    @Test
    void endsACommandThatIsStopped() {
        try (CliProcess cli = runScript("trap 'echo got TERM; exit 0' TERM; echo ready; while :; do sleep 0.1; done")) {
            cli.awaitOut("ready");
            CliProcess.signal("STOP", command(cli));
            CliProcess.signal("KILL", cli.handle());
            cli.awaitOut("got TERM");
        }
    }

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
        try (CliProcess cli = runScript("echo ready; trap 'exit 3' TERM; while :; do sleep 0.1; done", "--lease=20s")) {
            cli.awaitOut("ready");
            REDIS.server().kill();
            CliProcess.signal("TERM", command(cli));
            assertThat(cli.exitCode()).isEqualTo(3);
            assertThat(cli.err()).contains("Redis did not confirm the release of lock 'job'");
        }
    }

    @Test
    void refusesBytesThatTheLocaleCannotDecode() {
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", REDIS.uri(), "LC_ALL", "C");
        try (CliProcess cli = CliProcess.start(environment, "", "run", "彩票", "--", "echo", "ran")) {
            assertThat(cli.exitCode()).isEqualTo(64);
            assertThat(cli.out()).isEmpty();
            cli.assertOneLineError("LC_ALL=C.UTF-8");
        }
    }

    @Test
    void refusesNamesAndLeasesThatBreakTheRules() {
        try (CliProcess longName = CliProcess.run("run", "--redis", REDIS.uri(), "x".repeat(513), "--", "true");
                CliProcess noLease = run("--lease=0s", "true");
                CliProcess shortLease = run("--lease=51ms", "true")) {
            assertThat(List.of(longName.exitCode(), noLease.exitCode(), shortLease.exitCode()))
                    .containsOnly(64);
            longName.assertOneLineError("513 bytes", "512");
            noLease.assertOneLineError("too short");
            shortLease.assertOneLineError("too short");
        }
    }

    @Test
    void refusesAForeignKey() {
        REDIS.server().command("SET", KEY, "of another tool");
        try (CliProcess cli = run("echo", "ran")) {
            assertThat(cli.exitCode()).isEqualTo(65);
            assertThat(cli.out()).isEmpty();
            cli.assertOneLineError("job", "string");
            assertThat(REDIS.server().command("GET", KEY)).isEqualTo("of another tool");
        }
    }

    /** Runs a command; leading arguments that begin with two dashes are options of 'run'. */
    private static CliProcess run(String... optionsAndCommand) {
        List<String> options = Stream.of(optionsAndCommand)
                .takeWhile(word -> word.startsWith("--"))
                .toList();
        List<String> command = Stream.of(optionsAndCommand).skip(options.size()).toList();
        return CliProcess.start(
                Stream.of(List.of("run", "--redis", REDIS.uri()), options, List.of("job", "--"), command)
                        .flatMap(List::stream)
                        .toArray(String[]::new));
    }

    private static CliProcess runScript(String script, String... options) {
        return run(
                Stream.concat(Stream.of(options), Stream.of("sh", "-c", script)).toArray(String[]::new));
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
