package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The command line {@code run}: the lock around a command, and what it refuses. */
class RunIT {

    @RegisterExtension
    static final EmbeddedRedisExtension REDIS = EmbeddedRedisExtension.perClass();

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
    @Tag("long")
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
            assertThat(leasehold.lock("job").inspect()).hasValueSatisfying(info -> {
                assertThat(info.fencingToken()).isEqualTo(token);
                assertThat(info.pid()).isEqualTo(cli.handle().pid());
            });
        }
    }

    @Test
    void runsAlongWithOtherReadersAndExcludesWriters() throws InterruptedException {
        try (Lease reader = leasehold.readWriteLock("job").readLock().acquire();
                CliProcess second = runScript("echo token $LEASEHOLD_TOKEN; exec sleep 60", "--shared")) {
            assertThat(second.numberAfter("token")).isEqualTo(reader.fencingToken());
            assertThat(refused("--wait=0").exitCode()).isEqualTo(75);
            CliResult show = CliResult.of("show", "--redis", REDIS.uri(), "job");
            assertThat(show.exitCode()).isZero();
            assertThat(show.out()).containsPattern("holds +2\n").containsPattern("shared +yes");
        }
    }

    @Tag("long")
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
            CliResult third = refused("--permits=2", "--wait=0");
            CliResult other = refused("--permits=3", "--wait=0");
            CliResult show = CliResult.of("show", "--redis", REDIS.uri(), "job");
            assertThat(third.exitCode()).isEqualTo(75);
            assertThat(other.exitCode()).isEqualTo(64);
            other.assertOneLineError("has 2 permits, not 3");
            assertThat(show.exitCode()).isZero();
            assertThat(show.out()).containsPattern("permits +2 of 2 are held");
        }
    }

    @Test
    void runsUnderAPlainLockWhoseHolderIsShown() {
        String[] command = {
            "run", "--format=plain", "import:17", "--", "sh", "-c", "echo token ${LEASEHOLD_TOKEN:-none}; exec sleep 60"
        };
        try (CliProcess holder = CliProcess.start(Map.of("LEASEHOLD_REDIS", REDIS.uri()), "", command)) {
            holder.awaitOut("token none");
            CliResult other = CliResult.of(
                    "run", "--redis", REDIS.uri(), "--format=plain", "--wait=0", "import:17", "--", "true");
            CliResult show = CliResult.of("show", "--redis", REDIS.uri(), "--format=plain", "import:17");
            assertThat(other.exitCode()).isEqualTo(75);
            other.assertOneLineError("is held by process " + holder.handle().pid());
            assertThat(show.exitCode()).as(show.err()).isZero();
            assertThat(show.out()).contains("pid         " + holder.handle().pid());
        } finally {
            REDIS.server().command("DEL", "import:17");
        }
    }

    @Test
    void namesTheRightsWithoutWhichNoScriptRuns() {
        REDIS.server().command("ACL", "SETUSER", "bare", "reset", "on", ">p", "allkeys", "+@all", "-eval", "-evalsha");
        String bare = REDIS.server().uri("bare", "p");
        try {
            CliResult run = CliResult.of("run", "--redis", bare, "job", "--", "no-such-command-anywhere");
            CliResult show = CliResult.of("show", "--redis", bare, "job");
            CliResult doctor = CliResult.of("doctor", "--redis", bare);
            for (CliResult refused : List.of(run, show)) {
                assertThat(refused.exitCode()).isEqualTo(69);
                refused.assertOneLineError("'evalsha'", "ACL SETUSER bare +eval +evalsha");
            }
            assertThat(doctor.exitCode()).isEqualTo(1);
            assertThat(doctor.out()).contains("DANGER   scripts: ", "ACL SETUSER bare +eval +evalsha");
        } finally {
            REDIS.server().command("ACL", "DELUSER", "bare");
        }
    }

    @Test
    void saysThatAnotherLibraryHoldsAPlainLock() {
        REDIS.server().command("SET", "import:17", "c0ffee", "NX", "PX", "60000");
        try {
            CliResult held = CliResult.of(
                    "run", "--redis", REDIS.uri(), "--format=plain", "--wait=0", "import:17", "--", "true");
            assertThat(held.exitCode()).isEqualTo(75);
            held.assertOneLineError("'import:17' is held by another library, whose lease has ");
        } finally {
            REDIS.server().command("DEL", "import:17");
        }
    }

    @Test
    void refusesInvalidNumbersOfPermits() {
        CliResult none = refused("--permits=0");
        CliResult both = refused("--permits=2", "--shared");
        assertThat(none.exitCode()).isEqualTo(64);
        assertThat(both.exitCode()).isEqualTo(64);
        both.assertOneLineError("not together with --shared");
    }

    @Tag("long")
    @Test
    void endsWith128AndTheNumberOfTheSignalThatEndedTheCommand() {
        try (CliProcess cli = runScript("kill -KILL $$")) {
            assertThat(cli.exitCode()).isEqualTo(128 + 9);
            assertFree();
        }
    }

    @Test
    void endsLikeAShellWhenTheCommandCannotBeRun() {
        CliResult missing = refused();
        assertThat(missing.exitCode()).isEqualTo(127);
        missing.assertOneLineError("'no-such-command-anywhere' not found");
        CliResult directory = CliResult.of("run", "--redis", REDIS.uri(), "job", "--", "/");
        assertThat(directory.exitCode()).isEqualTo(126);
        directory.assertOneLineError("'/' cannot be executed");
        assertFree();
    }

    @Test
    void endsWith75WhenAnotherClientHoldsTheLock() throws InterruptedException {
        try (Lease holder = leasehold.lock("job").acquire()) {
            CliResult cli = refused("--wait=300ms");
            assertThat(cli.exitCode()).isEqualTo(75);
            assertThat(cli.out()).isEmpty();
            cli.assertOneLineError(
                    "lock 'job' is held by process " + ProcessHandle.current().pid(), "for all of 300 ms");
            assertThat(holder.isHeld()).isTrue();
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
        CliResult longName = CliResult.of("run", "--redis", REDIS.uri(), "x".repeat(513), "--", "true");
        CliResult noLease = refused("--lease=0s");
        CliResult shortLease = refused("--lease=51ms");
        assertThat(List.of(longName.exitCode(), noLease.exitCode(), shortLease.exitCode()))
                .containsOnly(64);
        longName.assertOneLineError("513 bytes", "512");
        noLease.assertOneLineError("too short");
        shortLease.assertOneLineError("too short");
    }

    @Test
    void refusesAForeignKey() {
        REDIS.server().command("SET", KEY, "of another tool");
        CliResult cli = refused();
        assertThat(cli.exitCode()).isEqualTo(65);
        cli.assertOneLineError("job", "string");
        assertThat(REDIS.server().command("GET", KEY)).isEqualTo("of another tool");
    }

    private static CliProcess runScript(String script, String... options) {
        return CliProcess.runScript(REDIS.uri(), script, options);
    }

    /** Runs in this process what ends before a command is started. */
    private static CliResult refused(String... options) {
        return CliResult.of(Stream.of(
                        Stream.of("run", "--redis", REDIS.uri()),
                        Stream.of(options),
                        Stream.of("job", "--", "no-such-command-anywhere"))
                .flatMap(Function.identity())
                .toArray(String[]::new));
    }

    private static void assertFree() {
        assertThat(leasehold.inspector().locks()).isEmpty();
    }
}
