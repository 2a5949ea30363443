package dev.leasehold.lettuce;

import static dev.leasehold.tck.TransportCalls.CLIENT_NAME;
import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The application passes its client: Leasehold opens connections from it, but does not own it. The contracts run over
 * such clients, too.
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
    void isLeftOpenWithAllConnectionsThatAreNotOurs() {
        RedisClient client = clients.client(settings(SERVER.uri()));
        StatefulRedisConnection<String, String> theirs = client.connect();
        RedisTransport transport = LettuceTransport.over(client);
        answer(transport.eval(count("a")));
        answer(transport.subscribe("c", message -> {}));
        assertThat(clientsOfServer()).isEqualTo(4);
        transport.close();
        await().atMost(LIMIT).until(() -> clientsOfServer() == 1);
        assertThat(theirs.sync().get("a")).isEqualTo("1");
        try (StatefulRedisConnection<String, String> fresh = client.connect()) {
            assertThat(fresh.sync().get("a")).isEqualTo("1");
        }
    }

    private static long clientsOfServer() {
        String list = String.valueOf(SERVER.server().command("CLIENT", "LIST"));
        return list.lines().filter(line -> line.contains("name=" + CLIENT_NAME)).count();
    }

    @Test
    void thatReconnectsByItselfIsNotReportedAsAtMostOnce() {
        RedisClient atLeastOnce = clients.client(settings(SERVER.uri()));
        RedisClient atMostOnce = clients.atMostOnce(settings(SERVER.uri()));
        try (RedisTransport first = LettuceTransport.over(atLeastOnce);
                RedisTransport second = LettuceTransport.over(atMostOnce)) {
            assertThat(answer(first.describe()).capabilities()).doesNotContain(Capability.AT_MOST_ONCE);
            assertThat(answer(second.describe()).capabilities()).contains(Capability.AT_MOST_ONCE);
        }
    }

    @Test
    void thatReconnectsByItselfReplaysNothingOfOurs() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.uri());
                RedisTransport transport = LettuceTransport.over(clients.client(settings(proxy.uri())))) {
            transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
            proxy.matching(request -> request.startsWith("EVALSHA")).resetAtNextRequest();
            for (CompletionStage<?> stage : transport.evalBatch(List.of(count("a"), count("a"), count("a")))) {
                assertThat(failure(stage, TransportException.class).maybeExecuted())
                        .isTrue();
            }
            transport.evalBatch(List.of(count("b"))).forEach(TransportCalls::answer);
            assertThat(SERVER.server().command("GET", "a")).isEqualTo("1");
            // The broken connection object is gone; only its successor and the one for renewals are left.
            await().atMost(LIMIT).until(() -> proxy.connectionsOpen() == 2);
            assertThat(proxy.connectionsOpened()).isEqualTo(3);
        }
    }

    @Test
    void thatHasTimeOutsOfItsOwnHasASilentConnectionReplacedByThem() {
        try (FaultProxy proxy = FaultProxy.before(SERVER.uri())) {
            RedisClient client = clients.client(settings(proxy.uri()));
            AtomicLong millis = new AtomicLong(LIMIT.toMillis());
            client.setOptions(ClientOptions.builder()
                    .timeoutOptions(TimeoutOptions.builder()
                            .timeoutCommands()
                            .timeoutSource(new TimeoutOptions.TimeoutSource() {
                                @Override
                                public long getTimeout(RedisCommand<?, ?, ?> command) {
                                    return millis.get();
                                }
                            })
                            .build())
                    .build());
            try (RedisTransport transport = LettuceTransport.over(client)) {
                answer(transport.eval(count("a")));
                proxy.matching(request -> request.startsWith("EVALSHA")).dropNextReplyThenSilence();
                millis.set(500);
                assertThat(failure(transport.eval(count("a")), TransportException.class)
                                .maybeExecuted())
                        .isTrue();
                millis.set(LIMIT.toMillis());
                assertThat(answer(transport.eval(count("a")))).containsExactly("3");
            }
        }
    }

    @Test
    void thatIsShutDownFailsEveryCallAsNotExecuted() {
        RedisClient client = clients.client(settings(SERVER.uri()));
        try (RedisTransport transport = LettuceTransport.over(client)) {
            answer(transport.eval(count("a")));
            client.shutdown();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(failure(transport.eval(count("a")), TransportException.class))
                            .hasMessageContaining("shut down"));
            transport.evalBatch(List.of(count("a"))).forEach(stage -> failure(stage, TransportException.class));
        }
        assertThat(SERVER.server().command("GET", "a")).isEqualTo("1");
    }
}
