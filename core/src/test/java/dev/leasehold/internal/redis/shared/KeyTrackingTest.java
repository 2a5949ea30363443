package dev.leasehold.internal.redis.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** The tracking of keys over one connection after another. */
class KeyTrackingTest {

    private final List<Fake> connections = new CopyOnWriteArrayList<>();

    private final class Fake implements RedisConnection {
        final List<RedisCommand> sent = new CopyOnWriteArrayList<>();
        volatile boolean open = true;

        @Override
        public void send(List<? extends RedisCommand> commands, long timeoutNanos) {
            sent.addAll(commands);
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public RedisAddress server() {
            return new RedisAddress("localhost", 1);
        }

        @Override
        public void close() {
            open = false;
        }
    }

    private final ServerRoute route = new ServerRoute() {
        @Override
        public String address() {
            return "localhost:1";
        }

        @Override
        public CompletionStage<RedisConnection> connect(
                ConnectionPurpose purpose, PushListener listener, long timeout) {
            Fake made = new Fake();
            connections.add(made);
            return CompletableFuture.completedFuture(made);
        }
    };

    @Test
    void theLateEndOfASilentConnectionDoesNotEndTheTrackingOfTheNext() {
        Scheduler scheduler = new Scheduler();
        KeyTracking path = new KeyTracking(
                route, new Invalidations(), Duration.ofSeconds(1).toNanos(), scheduler);
        path.open();
        Fake silent = connections.get(0);
        assertThat(silent.sent.get(0).words()).startsWith("CLIENT", "TRACKING");
        path.restart("it did not answer");
        await().until(() -> connections.size() == 2 && !connections.get(1).sent.isEmpty());
        Fake next = connections.get(1);
        next.sent.get(0).answered("OK");
        silent.sent.get(0).failed(new TransportException("the connection was closed", true, null));
        path.send(
                List.of(new TextCommand(List.of("EVALSHA", "sha", "1", "key"))),
                Duration.ofSeconds(1).toNanos());
        assertThat(next.sent.stream().map(command -> command.words().get(0))).contains("EVALSHA", "EXISTS");
        scheduler.close();
    }
}
