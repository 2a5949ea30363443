package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
