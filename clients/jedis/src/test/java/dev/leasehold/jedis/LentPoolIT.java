package dev.leasehold.jedis;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.PooledObjectFactory;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Connections that Leasehold does not know of: created by the pool in place of a broken one, or reopened by Jedis. */
class LentPoolIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER =
            EmbeddedRedisExtension.perClass(EmbeddedRedis.builder().password("s3cret"));

    private FaultProxy proxy;
    private Factory factory;
    private PooledConnectionProvider provider;
    private RedisTransport transport;

    @BeforeEach
    void lend() {
        proxy = FaultProxy.before(SERVER.uri());
        RedisServer server = RedisServer.of(settings(proxy.uri()));
        factory = new Factory(
                new HostAndPort(server.host(), server.port()),
                // No timeout: no silence ends what should not have begun.
                DefaultJedisClientConfig.builder()
                        .password("s3cret")
                        .socketTimeoutMillis(0)
                        .build());
        provider = new PooledConnectionProvider(factory, new GenericObjectPoolConfig<>());
        transport = JedisTransport.over(provider);
    }

    @AfterEach
    void close() {
        transport.close();
        provider.close();
        proxy.close();
    }

    @Test
    void thatIsClosedWhileItReplacesAConnectionKeepsNone() {
        // The pool looks whether it is closed before it connects, but not again when it has: once in some hundred
        // closes, an unknown connection was left open.
        answer(transport.subscribe("c", message -> {}));
        factory.meanwhile = provider::close;
        transport.close();
        await().atMost(LIMIT).until(() -> provider.getPool().isClosed());
        await().atMost(LIMIT).until(() -> factory.made.stream().noneMatch(Connection::isConnected));
    }

    @Test
    void thatIsSlowToReplaceAConnectionCostsTheCallerNoMoreThanItsTime() {
        answer(transport.eval(count("a")));
        CountDownLatch failed = new CountDownLatch(1);
        CompletableFuture<Boolean> failedMeanwhile = new CompletableFuture<>();
        factory.meanwhile = () -> failedMeanwhile.complete(happens(failed));
        proxy.matching(request -> request.startsWith("EVALSHA")).dropNextReplyThenSilence();
        failure(transport.eval(count("a", Duration.ofMillis(100))), TransportException.class);
        failed.countDown();
        assertThat(answer(failedMeanwhile)).isTrue();
    }

    @Test
    void getsTheConnectionOfSubscriptionsBackWholeWhenTheLastHasEnded() throws Exception {
        answer(transport.subscribe("c", message -> {})).close();
        // The other one is kept for batches.
        await().atMost(LIMIT).until(() -> provider.getPool().getNumActive() == 1);
        assertThat(factory.made).hasSize(2).allMatch(Connection::isConnected);
    }

    @Test
    void thatGivesConnectionsWhichBrokeWhileTheyWereIdleCostsNoSecondBatch() {
        try (Connection one = provider.getConnection();
                Connection two = provider.getConnection();
                Connection three = provider.getConnection()) {
            assertThat(List.of(one, two, three)).allMatch(Connection::isConnected);
        }
        proxy.reset();
        failure(transport.evalBatch(List.of(count("a"))).get(0), TransportException.class);
        assertThat(answer(transport.evalBatch(List.of(count("a"))).get(0))).containsExactly("1");
    }

    @Test
    void listensToAllChannelsAgainAfterOneHasCutTheConnection() throws Exception {
        // Jedis reconnected for the next command over the connection, and the other channels got no messages.
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        CountDownLatch listening = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        answer(transport.subscribe("a", message -> {
            heard.add(message);
            listening.countDown();
            happens(asked);
        }));
        SERVER.server().command("PUBLISH", "a", "1");
        assertThat(happens(listening)).isTrue();
        // No thread reads meanwhile, so it cannot be confirmed, and a caller that stops waiting considers the
        // connection dead.
        var patient = transport.subscribe("b", message -> {});
        transport.subscribe("b", message -> {}).toCompletableFuture().cancel(false);
        var next = transport.subscribe("c", message -> {});
        asked.countDown();
        answer(patient);
        answer(next);
        await().atMost(LIMIT)
                .until(() -> SERVER.server().command("PUBLISH", "a", "2").equals(1L));
        await().atMost(LIMIT).until(() -> heard.contains("2"));
    }

    @Test
    void subscribesOverTheNextConnectionIfOneWasCutBeforeAnythingWasAsked() {
        // Jedis reopened it without the password, and the subscriber of the channel got NOAUTH.
        CompletableFuture<Runnable> cut = new CompletableFuture<>();
        factory.beforeListening = () -> answer(cut).run();
        var patient = transport.subscribe("c", message -> {});
        var hasty = transport.subscribe("c", message -> {}).toCompletableFuture();
        cut.complete(() -> hasty.cancel(false));
        answer(patient);
        assertThat(hasty).isCancelled();
    }

    private static boolean happens(CountDownLatch what) {
        try {
            return what.await(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Knows what it made, and does something once when it makes the next, or when the next listens. */
    private static final class Factory implements PooledObjectFactory<Connection> {
        final Queue<Connection> made = new ConcurrentLinkedQueue<>();
        volatile Runnable meanwhile = () -> {};
        volatile Runnable beforeListening = () -> {};
        private final HostAndPort server;
        private final JedisClientConfig config;
        private final ConnectionFactory connections;

        Factory(HostAndPort server, JedisClientConfig config) {
            this.server = server;
            this.config = config;
            connections = new ConnectionFactory(server, config);
        }

        @Override
        public PooledObject<Connection> makeObject() {
            Connection next = new Connection(new DefaultJedisSocketFactory(server, config), config) {
                @Override
                public void setTimeoutInfinite() {
                    Runnable now = beforeListening;
                    beforeListening = () -> {};
                    now.run();
                    super.setTimeoutInfinite();
                }
            };
            made.add(next);
            Runnable now = meanwhile;
            meanwhile = () -> {};
            now.run();
            return new DefaultPooledObject<>(next);
        }

        @Override
        public void destroyObject(PooledObject<Connection> pooled) throws Exception {
            connections.destroyObject(pooled);
        }

        @Override
        public boolean validateObject(PooledObject<Connection> pooled) {
            return connections.validateObject(pooled);
        }

        @Override
        public void activateObject(PooledObject<Connection> pooled) throws Exception {
            connections.activateObject(pooled);
        }

        @Override
        public void passivateObject(PooledObject<Connection> pooled) throws Exception {
            connections.passivateObject(pooled);
        }
    }
}
