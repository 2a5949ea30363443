package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract on a real server. */
@WithRedis
class RedisGuardIT extends RedisGuardContract {

    private final EmbeddedRedis redis;
    private final TestTransport transport;

    RedisGuardIT(EmbeddedRedis redis) {
        this.redis = redis;
        transport = TestTransport.to(redis);
    }

    @Override
    TestTransport transport() {
        return transport;
    }

    @Override
    @Nullable
    Object command(String... args) {
        return redis.command(args);
    }

    @Test
    void commandsOfOtherTypesRunToo() {
        RedisGuard guard = guard();
        assertThat(guard.run("a", 1, "RPUSH", "list", "x", "y")).containsExactly("2");
        assertThat(guard.run("a", 1, "LRANGE", "list", "0", "-1")).containsExactly("x", "y");
        assertThat(guard.run("a", 1, "ZADD", "zset", "1.5", "m")).containsExactly("1");
        assertThat(guard.run("a", 1, "ZRANGE", "zset", "0", "-1", "WITHSCORES")).containsExactly("m", "1.5");
        assertThat(guard.run("a", 1, "XADD", "stream", "1-1", "f", "v")).containsExactly("1-1");
        assertThat(guard.run("a", 1, "XRANGE", "stream", "-", "+")).containsExactly("1-1", "f", "v");
        assertThat(guard.run("a", 1, "DEL", "list")).containsExactly("1");
    }

    @Test
    void aServerWithFullMemoryRefusesTheWholeScript() {
        guard().run("a", 7, "SET", "k", "earlier");
        redis.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> guard().run("a", 8, "SET", "k", "later"))
                    .isInstanceOf(RedisErrorException.class)
                    .hasMessageContaining("OOM");
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(value("a")).isNull();
        assertThat(command("GET", "k")).isEqualTo("earlier");
        assertThat(command("GET", "leasehold-fence:{a}")).isEqualTo("7");
    }

    @Test
    void aServerThatDoesNotAnswerThrowsATransportErrorAndNoStaleToken() {
        // Not by the short timeout, which a first call may exceed.
        guard().admit("a", 7);
        RedisGuard guard = guard().commandTimeout(Duration.ofMillis(200));
        redis.pause();
        assertThatThrownBy(() -> guard.admit("a", 8))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("200 ms");
        assertThat(transport.lastIsCancelled()).isTrue();
        redis.resume();
        redis.kill();
        assertThatThrownBy(() -> guard.commandTimeout(Duration.ofSeconds(20)).admit("a", 8))
                .isInstanceOf(TransportException.class)
                .satisfies(e ->
                        assertThat(((TransportException) e).maybeExecuted()).isTrue());
    }

    @Test
    void aThreadThatIsInterruptedWhileItWaitsStaysInterrupted() {
        // A name of its own: the command may reach the server only after this test and the flush that follows it.
        redis.pause();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> guard().admit("interrupted", 8))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        redis.resume();
    }
}
