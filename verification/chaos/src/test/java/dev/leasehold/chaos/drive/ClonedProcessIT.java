package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.chaos.work.Resource;
import dev.leasehold.chaos.work.ResourceProcess;
import dev.leasehold.lettuce.LettuceTransport;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hazard 13: a copy of a process, by a snapshot of a machine, continues with the ids of its original. Neither Redis
 * nor the library can distinguish them, and neither can the resource; but after another holder has written, it
 * refuses both.
 */
class ClonedProcessIT {

    private static final String NAME = "mutex-cloned";
    private static final LockOptions LONG = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(30))
            .renewal(Renewal.none())
            .build();

    @Test
    void twoHoldersWithOneIdHaveOneTokenAndTheResourceRefusesBothAfterTheNextHolder(@TempDir Path directory) {
        AtomicReference<String> id = new AtomicReference<>("");
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Child process = new Child("resource", ResourceProcess.class, List.of(directory.toString()), "");
                RedisClients clients = new RedisClients(redis.uri());
                Leasehold original = connect(withId(clients.transport(), id));
                Leasehold copy = connect(withId(clients.transport(), id));
                Leasehold other = connect(clients.transport())) {
            Resource resource = new Resource(Integer.parseInt(process.answer("port")));
            Lease one = original.lock(NAME).with(LONG).tryAcquire().orElseThrow();
            Lease twin = copy.lock(NAME).with(LONG).tryAcquire().orElseThrow();
            assertThat(twin.fencingToken()).isEqualTo(one.fencingToken());
            assertThat(redis.command("HGETALL", "leasehold:{" + NAME + "}"))
                    .asString()
                    .containsOnlyOnce("h:" + id.get());
            assertThat(resource.write("one", NAME, one.fencingToken(), 1)).isTrue();

            other.lock(NAME).forceRelease();
            Lease next = other.lock(NAME).with(LONG).tryAcquire().orElseThrow();
            assertThat(resource.enter("next", NAME, next.fencingToken()).value())
                    .isEqualTo(1);

            assertThat(resource.write("one", NAME, one.fencingToken(), 2)).isFalse();
            assertThat(resource.write("twin", NAME, twin.fencingToken(), 2)).isFalse();
            assertThat(resource.write("next", NAME, next.fencingToken(), 2)).isTrue();
        }
    }

    private static Leasehold connect(RedisTransport transport) {
        return Leasehold.builder()
                .transport(transport)
                .preflight(LeaseholdBuilder.Preflight.OFF)
                .build();
    }

    /** Returns a transport that replaces its own client's first acquisition id by this one. */
    private static RedisTransport withId(RedisTransport real, AtomicReference<String> id) {
        return (RedisTransport) Proxy.newProxyInstance(
                RedisTransport.class.getClassLoader(), new Class<?>[] {RedisTransport.class}, (proxy, method, args) -> {
                    if (method.getName().equals("eval")
                            && args[0] instanceof ScriptCall call
                            && call.script().name().startsWith("acquire")) {
                        id.compareAndSet("", call.args().get(0));
                        args[0] = new ScriptCall(
                                call.script(),
                                call.keys(),
                                call.args().stream()
                                        .map(arg -> arg.replace(call.args().get(0), id.get()))
                                        .toList(),
                                call.timeoutNanos());
                    }
                    try {
                        return method.invoke(real, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Lettuce's client, which transports are lent. */
    private record RedisClients(RedisClient client) implements AutoCloseable {

        RedisClients(String uri) {
            this(RedisClient.create(uri));
        }

        RedisTransport transport() {
            return LettuceTransport.over(client);
        }

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }
}
