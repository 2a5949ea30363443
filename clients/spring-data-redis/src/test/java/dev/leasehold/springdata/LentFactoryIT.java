package dev.leasehold.springdata;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.tck.DocumentedRights;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The application passes a factory or a template: Leasehold reads it and does not change it. The contracts run over
 * such factories, too.
 */
@Isolated("it waits until a transport has no thread left")
class LentFactoryIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    static Stream<Named<Function<ConnectionSettings, RedisConnectionFactory>>> clients() {
        return Stream.of(Named.of("Lettuce", LentFactories::lettuce), Named.of("Jedis", LentFactories::jedis));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void aTemplateIsEnoughAndStaysOpen(Function<ConnectionSettings, RedisConnectionFactory> client) throws Exception {
        RedisConnectionFactory factory = client.apply(settings(SERVER.uri()));
        try {
            StringRedisTemplate template = new StringRedisTemplate(factory);
            RedisTransport transport = SpringDataTransport.over(template);
            try (Leasehold leasehold = Leasehold.builder().transport(transport).build();
                    Lease lease = leasehold.lock("lent").acquire(Duration.ofSeconds(5))) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(leasehold.lock("lent").tryAcquire()).isEmpty();
                template.opsForValue().set("the application's", "own");
            }
            assertThat(template.opsForValue().get("the application's")).isEqualTo("own");
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }

    /** Over Lettuce the threads are the factory's. */
    @Test
    void noThreadOverJedisIsLeftAfterTheClose() {
        Set<Thread> before = LentFactories.threadsOfTransports();
        RedisConnectionFactory factory = LentFactories.jedis(settings(SERVER.uri()));
        try {
            RedisTransport transport = SpringDataTransport.over(factory);
            answer(transport.eval(count("a")));
            transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
            answer(transport.subscribe("c", message -> {}));
            assertThat(before.containsAll(LentFactories.threadsOfTransports())).isFalse();
            transport.close();
            await().atMost(LIMIT).until(() -> before.containsAll(LentFactories.threadsOfTransports()));
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void itsCommandsAreSentOnceOnly(Function<ConnectionSettings, RedisConnectionFactory> client) {
        RedisConnectionFactory factory = client.apply(settings(SERVER.uri()));
        try (RedisTransport transport = SpringDataTransport.over(factory)) {
            assertThat(answer(transport.describe()).capabilities()).contains(Capability.AT_MOST_ONCE);
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void theDocumentedRightsSuffice(Function<ConnectionSettings, RedisConnectionFactory> client) throws Exception {
        EmbeddedRedis redis = SERVER.server();
        DocumentedRights.grant(redis, DocumentedRights.ofLocks());
        RedisConnectionFactory factory = client.apply(settings(DocumentedRights.uri(redis.uri())));
        try (Leasehold leasehold = Leasehold.builder()
                .transport(SpringDataTransport.over(factory))
                .preflight(Preflight.REFUSE)
                .build()) {
            assertThat(Diagnostics.of(leasehold).findings())
                    .filteredOn(finding -> finding.subject().equals("rights"))
                    .extracting(Finding::level)
                    .containsExactly(Finding.Level.FINE);
            Lease held = leasehold.lock("x").acquire(Duration.ofSeconds(5));
            CompletableFuture<Lease> waiter = leasehold.lock("x").acquireAsync().toCompletableFuture();
            await().atMost(LIMIT)
                    .until(
                            () -> redis.command("PUBSUB", "CHANNELS", "leasehold:w:*"),
                            channels -> !List.of().equals(channels));
            held.release();
            waiter.get(10, TimeUnit.SECONDS).release();
        } finally {
            LentFactories.end((DisposableBean) factory);
        }
    }

    @Test
    void anEmptyUserIsTheDefaultUser() {
        try (EmbeddedRedis guarded = EmbeddedRedis.builder().password("s3cret").start()) {
            RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(guarded.host(), guarded.port());
            server.setUsername("");
            server.setPassword("s3cret");
            LettuceConnectionFactory overLettuce = new LettuceConnectionFactory(server);
            overLettuce.afterPropertiesSet();
            overLettuce.start();
            for (RedisConnectionFactory factory : List.of(overLettuce, new JedisConnectionFactory(server))) {
                try (RedisTransport transport = SpringDataTransport.over(factory)) {
                    assertThat(answer(transport.eval(count("guarded")))).hasSize(1);
                }
            }
            overLettuce.destroy();
        }
    }

    @Test
    void aWrapperAroundAFactoryIsRejected() {
        RedisConnectionFactory wrapped = (RedisConnectionFactory) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisConnectionFactory.class}, (self, method, args) -> {
                    throw new UnsupportedOperationException();
                });
        refused(() -> SpringDataTransport.over(wrapped), "pass a LettuceConnectionFactory or a JedisConnectionFactory");
    }

    @Test
    void aTemplateWithoutAFactoryIsRefused() {
        refused(() -> SpringDataTransport.over(new StringRedisTemplate()), "setConnectionFactory()");
    }

    @Test
    void aFactoryOfLettuceThatWasNotStartedIsRefused() {
        refused(() -> SpringDataTransport.over(new LettuceConnectionFactory("127.0.0.1", 1)), "start()");
    }

    @Test
    void aFixedListOfPrimaryAndReplicasIsRefused() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration(
                SERVER.server().host(), SERVER.server().port()));
        factory.afterPropertiesSet();
        factory.start();
        try {
            refused(() -> SpringDataTransport.over(factory), "RedisStandaloneConfiguration for the primary");
        } finally {
            factory.destroy();
        }
    }

    @Test
    void sentinelsWithoutTheNameOfAPrimaryAreRefused() {
        JedisConnectionFactory factory =
                new JedisConnectionFactory(new RedisSentinelConfiguration().sentinel("127.0.0.1", 1));
        refused(() -> SpringDataTransport.over(factory), "master(name)");
    }

    private static void refused(Runnable opening, String remedy) {
        assertThatThrownBy(opening::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("given")
                .hasMessageContaining(remedy);
    }
}
