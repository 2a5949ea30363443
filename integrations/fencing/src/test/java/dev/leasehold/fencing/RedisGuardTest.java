package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract on a simulated server, which runs the same script. */
class RedisGuardTest extends RedisGuardContract {

    private final SimulatedRedis redis = SimulatedRedis.create(ManualClock.create());

    @AfterEach
    void close() {
        redis.close();
    }

    @Override
    TestTransport transport() {
        return TestTransport.to(redis);
    }

    @Override
    @Nullable
    Object command(String... args) {
        return redis.execute(List.of(args));
    }

    @Test
    void afterAFailoverFenceAndDataAreConsistent() {
        RedisGuard guard = guard();
        guard.run("a", 7, "SET", "k", "earlier");
        guard.run("a", 8, "SET", "k", "later");
        redis.failOver(1, java.time.Duration.ZERO);
        assertThat(command("GET", "k")).isEqualTo("earlier");
        assertThat(command("GET", "leasehold-fence:{a}")).isEqualTo("7");
    }

    @Test
    void aServerWithFullMemoryRefusesTheWholeScript() {
        RedisGuard guard = guard();
        guard.run("a", 7, "SET", "k", "earlier");
        redis.outOfMemory(true);
        assertThatThrownBy(() -> guard.run("a", 8, "SET", "k", "later"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("OOM");
        assertThatThrownBy(() -> guard.run("a", 7, "SET", "k", "again")).isInstanceOf(RedisErrorException.class);
        assertThat(command("GET", "k")).isEqualTo("earlier");
        assertThat(command("GET", "leasehold-fence:{a}")).isEqualTo("7");
    }

    @Test
    void theScriptBeginsWithItsNameAndDocumentsAllItsArguments() {
        List<String> lines = FenceScript.SCRIPT.body().lines().toList();
        assertThat(lines.get(0)).startsWith("-- " + FenceScript.SCRIPT.name() + ": ");
        assertThat(lines.stream()
                        .filter(line -> line.matches("-- (KEYS|ARGV)\\[\\d\\] .*"))
                        .map(line -> line.replaceAll("-- (\\w+\\[\\d\\]) (\\w+):.*", "$1=$2")))
                .containsExactly(
                        "KEYS[1]=fence",
                        "KEYS[2]=data",
                        "ARGV[1]=token",
                        "ARGV[2]=keep",
                        "ARGV[3]=command",
                        "ARGV[4]=args");
    }
}
