package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DemoIT {

    private static final int INTERRUPTED = 128 + 2;
    private static final int TERMINATED = 128 + 15;

    @Test
    void holdsAndLeavesNothingBehindInAGivenRedis() {
        try (EmbeddedRedis redis =
                        EmbeddedRedis.builder().password(SecretsIT.PASSWORD).start();
                CliProcess demo = CliProcess.start("demo", "--lease=2s", "--redis", redis.uri())) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out())
                    .contains(
                            "plays on redis://" + redis.host() + ":" + redis.port() + ";",
                            "(SIGSTOP) in the middle",
                            "is told that its lease is lost",
                            "is refused",
                            "(SIGKILL) in the middle",
                            "ok    draw 1 was drawn exactly once",
                            "The lock held.")
                    .doesNotContain("FAIL");
            assertThat(demo.err()).isEmpty();
            SecretsIT.assertNoSecret(demo.out(), demo.err());
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Tag("long")
    @Test
    void drawsMoreThanOnceWithoutTheLockOnARedisOfItsOwn() {
        try (CliProcess demo = CliProcess.start("demo", "--without-lock")) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isEqualTo(1);
            assertThat(demo.out()).containsPattern("FAIL  draw 1 was drawn [2-5] times: [1-4] double draws");
            assertThat(demo.err()).isEmpty();
        }
    }

    @Tag("long")
    @Test
    void cleansUpWhenItIsTerminated() {
        assertCleansUp(CliProcess::start, TERMINATED, "TERM");
    }

    /** In a build whose shell ignores SIGINT, no process that it starts can be interrupted. */
    @Tag("nightly")
    @Test
    void cleansUpWhenItIsInterruptedUnlessInterruptsAreIgnored() {
        if (CliProcess.interruptsAreIgnored()) {
            assertCleansUp(CliProcess::start, TERMINATED, "INT", "TERM");
        } else {
            assertCleansUp(CliProcess::start, INTERRUPTED, "INT");
        }
    }

    /** A background job of a shell, for which Ctrl-C is not meant. The exit code is that of the first signal it heard. */
    @Tag("nightly")
    @Test
    void isNotInterruptedWhenInterruptsWereIgnoredBeforeItStarted() {
        assertCleansUp(CliProcess::startWithInterruptsIgnored, TERMINATED, "INT", "TERM");
    }

    private static void assertCleansUp(Function<String[], CliProcess> starter, int exitCode, String... signals) {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                CliProcess demo = starter.apply(new String[] {"demo", "--lease=10s", "--redis", redis.uri()})) {
            demo.awaitOut("(SIGSTOP) in the middle");
            List<ProcessHandle> players = demo.handle().children().toList();
            assertThat(players).hasSize(5);
            for (String signal : signals) {
                CliProcess.signal(signal, demo.handle());
            }
            assertThat(demo.exitCode()).isEqualTo(exitCode);
            await().atMost(CliProcess.LIMIT).until(() -> players.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }
}
