package dev.leasehold.internal.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client keeps the nodes of the present cluster, however many there have been. */
class ClusterNodesTest {

    private static final RedisAddress SEED = new RedisAddress("seed", 6379);

    private final Scheduler scheduler = new Scheduler();
    private final List<String> closed = new ArrayList<>();
    private final ConnectorInfo info = new ConnectorInfo(
            List.of(SEED), null, "seed:6379", null, Set.of(), Duration.ofSeconds(5), Duration.ofSeconds(2));
    private long now = TimeUnit.HOURS.toNanos(-1);
    private final ClusterNodes nodes = new ClusterNodes(server(SEED), this::server, () -> now, server -> {});

    @AfterEach
    void end() {
        scheduler.close();
    }

    private Server server(RedisAddress address) {
        ServerRoute route = new ServerRoute() {
            @Override
            public String address() {
                return address.toString();
            }

            @Override
            public CompletionStage<RedisConnection> connect(
                    ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
                return new CompletableFuture<>();
            }
        };
        return new Server(route, address, info, new Paths(), new Invalidations(), scheduler);
    }

    private static RedisAddress node(int number) {
        return new RedisAddress("node-" + number, 6379);
    }

    private void secondsLater(int seconds, Set<RedisAddress> present) {
        now += TimeUnit.SECONDS.toNanos(seconds);
        nodes.keep(present);
    }

    @Test
    void nodesThatHaveLeftAreClosedAfterFiveSeconds() {
        for (int n = 0; n < 1_000; n++) {
            assertThat(nodes.at(node(n)).address()).isEqualTo("node-" + n + ":6379");
        }
        Set<RedisAddress> present = Set.of(SEED, node(1), node(2));
        secondsLater(1, present);
        assertThat(nodes.size()).isEqualTo(1_001);
        secondsLater(6, present);
        assertThat(nodes.size()).isEqualTo(3);
        assertThat(closed).hasSize(998 * 5).containsOnly("it has left the cluster");
    }

    @Test
    void aNodeToWhichCallsAreRedirectedStaysThoughNoViewContainsIt() {
        Set<RedisAddress> present = Set.of(SEED);
        Server redirectedTo = nodes.inUse(node(1));
        for (int n = 0; n < 10; n++) {
            assertThat(nodes.inUse(node(1))).isSameAs(redirectedTo);
            secondsLater(4, present);
        }
        assertThat(nodes.size()).isEqualTo(2);
        secondsLater(6, present);
        assertThat(nodes.size()).isEqualTo(1);
    }

    /** Paths that lead nowhere, and note why they are closed. */
    private final class Paths implements PathFactory, CommandPath {

        @Override
        public CommandPath calls(ServerRoute route) {
            return new Paths();
        }

        @Override
        public CommandPath batches(ServerRoute route) {
            return new Paths();
        }

        @Override
        public CommandPath tracked(ServerRoute route) {
            return new Paths();
        }

        @Override
        public CommandPath durable(ServerRoute route) {
            return new Paths();
        }

        @Override
        public CommandPath inspection(ServerRoute route, CommandPath calls) {
            return new Paths();
        }

        @Override
        public void send(PendingCommand<?> command, long timeoutNanos) {}

        @Override
        public void send(List<? extends PendingCommand<?>> commands, long timeoutNanos) {}

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public CompletionStage<?> open() {
            return new CompletableFuture<>();
        }

        @Override
        public void restart(String reason) {}

        @Override
        public void close(String reason) {
            closed.add(reason);
        }
    }
}
