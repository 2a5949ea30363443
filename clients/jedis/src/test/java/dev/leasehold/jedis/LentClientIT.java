package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * The application passes its client: Leasehold uses its connections and does not change it. The contracts run over such
 * clients, too.
 */
class LentClientIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    private final LentClients clients = new LentClients();

    @AfterEach
    void shutDown() {
        clients.close();
    }

    @Test
    void isLeftOpenWithItsTimeOutsAndGetsAllConnectionsBack() {
        UnifiedJedis client = clients.client(
                settings(SERVER.uri()), DefaultJedisClientConfig.builder().socketTimeoutMillis(7_777), 3);
        RedisTransport transport = JedisTransport.over(client);
        answer(transport.eval(count("a")));
        transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
        answer(transport.subscribe("c", message -> {}));
        transport.close();
        assertThat(client.get("a")).isEqualTo("2");
        ConnectionProvider provider = LentConnector.providerOf(client);
        await().atMost(LIMIT).untilAsserted(() -> {
            try (Connection one = provider.getConnection();
                    Connection two = provider.getConnection();
                    Connection three = provider.getConnection()) {
                assertThat(List.of(one, two, three)).allMatch(each -> each.getSoTimeout() == 7_777);
            }
        });
    }

    @Test
    void locksOverTheClientOfTheApplication() throws Exception {
        UnifiedJedis client = clients.client(settings(SERVER.uri()));
        try (Leasehold leasehold = Leasehold.builder()
                        .transport(JedisTransport.over(client))
                        .build();
                Lease lease = leasehold.lock("lent").acquire(Duration.ofSeconds(5))) {
            assertThat(lease.isHeld()).isTrue();
            assertThat(leasehold.lock("lent").tryAcquire()).isEmpty();
        }
        assertThat(client.ping()).isEqualTo("PONG");
    }

    @Test
    void thatRepeatsCommandsRepeatsNothingOfOurs() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.uri());
                RedisTransport transport = JedisTransport.over(clients.client(settings(proxy.uri())))) {
            assertThat(answer(transport.describe()).capabilities()).contains(Capability.AT_MOST_ONCE);
            answer(transport.eval(count("once")));
            proxy.matching(request -> request.startsWith("EVALSHA")).dropNextReplyThenReset();
            assertThat(failure(transport.eval(count("once")), TransportException.class)
                            .maybeExecuted())
                    .isTrue();
            assertThat(SERVER.server().command("GET", "once")).isEqualTo("2");
        }
    }

    @Test
    void thatSpeaksTheThirdProtocolAnswersAlike() {
        UnifiedJedis client = clients.client(
                settings(SERVER.uri()), DefaultJedisClientConfig.builder().protocol(RedisProtocol.RESP3), 8);
        try (RedisTransport transport = JedisTransport.over(client)) {
            answer(transport.command(null, List.of("HSET", "h", "f", "v")));
            assertThat(answer(transport.command(null, List.of("HGETALL", "h")))).isEqualTo(List.of("f", "v"));
            assertThat(answer(transport.eval(count("third")))).containsExactly("1");
            Queue<String> heard = new ConcurrentLinkedQueue<>();
            answer(transport.subscribe("third", heard::add));
            answer(transport.subscribe("fourth", heard::add));
            SERVER.server().command("PUBLISH", "third", "m");
            SERVER.server().command("PUBLISH", "fourth", "n");
            await().atMost(LIMIT).until(() -> List.copyOf(heard).equals(List.of("m", "n")));
        }
    }

    @Test
    void anEmptyPoolDelaysNoCallerBeyondItsTimeout() {
        UnifiedJedis client = clients.client(settings(SERVER.uri()), DefaultJedisClientConfig.builder(), 3);
        ConnectionProvider provider = LentConnector.providerOf(client);
        try (RedisTransport transport = JedisTransport.over(client);
                // The third one is kept for batches.
                Connection one = provider.getConnection();
                Connection two = provider.getConnection()) {
            assertThat(List.of(one, two)).allMatch(Connection::isConnected);
            TransportException failure =
                    failure(transport.eval(count("a", Duration.ofMillis(30))), TransportException.class);
            assertThat(failure.maybeExecuted()).isFalse();
            assertThat(failure).hasMessageContaining("pool");
        }
    }

    @Test
    void aClientWithTooSmallAPoolIsRejected() {
        UnifiedJedis client = clients.client(settings(SERVER.uri()), DefaultJedisClientConfig.builder(), 2);
        assertThatThrownBy(() -> JedisTransport.over(client))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxTotal");
    }

    @Test
    void aPoolOfThreeConnectionsIsEnoughAndOfFourIfReplicasAreWaitedFor() throws Exception {
        EmbeddedRedis server = SERVER.server();
        LockOptions renewed = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(20))
                .renewal(Renewal.afterRatio(0.02))
                .build();
        isEnough(3, renewed);
        try (EmbeddedRedis replica = EmbeddedRedis.builder()
                .config("replicaof", server.host(), String.valueOf(server.port()))
                .config("masterauth", Objects.requireNonNull(server.password()))
                .start()) {
            await().atMost(LIMIT)
                    .until(() -> server.command("WAIT", "1", "1000").equals(1L));
            assertThat(replica.isRunning()).isTrue();
            isEnough(4, renewed.toBuilder().replicas(1, Duration.ofSeconds(6)).build());
        }
    }

    /** All connections but one are kept, and callers, renewals and waiters get on. */
    private void isEnough(int connections, LockOptions options) throws Exception {
        UnifiedJedis client = clients.client(settings(SERVER.uri()), DefaultJedisClientConfig.builder(), connections);
        PooledConnectionProvider provider = (PooledConnectionProvider) LentConnector.providerOf(client);
        AtomicInteger renewals = new AtomicInteger();
        String name = "least:" + connections;
        try (Leasehold leasehold = Leasehold.builder()
                .transport(JedisTransport.over(client))
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.incrementAndGet();
                    }
                })
                .build()) {
            DistributedLock lock = leasehold.lock(name).with(options);
            Lease held = lock.acquire(LIMIT);
            CompletionStage<Lease> waiter = lock.acquireAsync();
            await().atMost(LIMIT)
                    .until(() -> "1".equals(SERVER.server().command("HGET", "leasehold:{" + name + "}", "wn")));
            await().atMost(LIMIT).until(() -> renewals.get() >= 2);
            await().atMost(LIMIT).until(() -> provider.getPool().getNumActive() == connections - 1);
            for (int i = 0; i < 20; i++) {
                leasehold.lock(name + ":other").tryAcquire().orElseThrow().close();
            }
            held.close();
            answer(waiter).close();
        }
    }

    @Test
    void thatTellsNoAddressIsAskedForTheServers() {
        HostAndPort server =
                new HostAndPort(SERVER.server().host(), SERVER.server().port());
        ConnectionProvider own = new ConnectionProvider() {
            @Override
            public Connection getConnection() {
                return new Connection(
                        server,
                        DefaultJedisClientConfig.builder()
                                .password(SERVER.server().password())
                                .build());
            }

            @Override
            public Connection getConnection(CommandArguments arguments) {
                return getConnection();
            }

            @Override
            public void close() {}
        };
        try (RedisTransport transport = JedisTransport.over(own)) {
            var node = answer(transport.describe()).nodes().get(0);
            assertThat(node.port()).isEqualTo(server.getPort());
            assertThat(answer(transport.command(node, List.of("PING")))).isEqualTo("PONG");
        }
    }
}
