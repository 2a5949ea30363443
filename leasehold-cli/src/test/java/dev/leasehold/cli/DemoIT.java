package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoIT {

    @Test
    void holdsAndLeavesNothingBehindInAGivenRedis() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                CliProcess demo = CliProcess.start("demo", "--lease=2s", "--redis", redis.uri())) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out())
                    .contains(
                            "(SIGSTOP) in the middle",
                            "is told that its lease is lost",
                            "is refused",
                            "(SIGKILL) in the middle",
                            "ok    draw 1 was drawn exactly once",
                            "The lock held.")
                    .doesNotContain("FAIL");
            assertThat(demo.err()).isEmpty();
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void drawsMoreThanOnceWithoutTheLockOnARedisOfItsOwn() {
        try (CliProcess demo = CliProcess.start("demo", "--without-lock")) {
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isEqualTo(1);
            assertThat(demo.out()).containsPattern("FAIL  draw 1 was drawn [2-5] times: [1-4] double draws");
            assertThat(demo.err()).isEmpty();
        }
    }

    @Test
    void cleansUpWhenItIsInterrupted() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                CliProcess demo = CliProcess.start("demo", "--lease=10s", "--redis", redis.uri())) {
            demo.awaitOut("(SIGSTOP) in the middle");
            List<ProcessHandle> players = demo.handle().children().toList();
            assertThat(players).hasSize(5);
            CliProcess.signal("INT", demo.handle());
            assertThat(demo.exitCode()).isEqualTo(130);
            await().atMost(CliProcess.LIMIT).until(() -> players.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }
}
