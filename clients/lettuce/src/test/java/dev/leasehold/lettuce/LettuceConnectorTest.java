package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server that refuses hangs up at once; Lettuce then may not hear why. A client that is shut down begins no connection. */
class LettuceConnectorTest {

    private static final RedisConnectionException UNHEARD = new RedisConnectionException(
            "Unable to connect", new IllegalStateException("RedisHandshakeHandler not registered"));

    private static final RedisAddress ADDRESS = new RedisAddress("localhost", 1);
    private static final RedisURI SERVER = RedisURI.create("localhost", 1);

    private final AtomicInteger tries = new AtomicInteger();

    private CompletionStage<String> unheardFor(int times, CompletionStage<String> then) {
        return LettuceConnector.retryUnread(
                () -> tries.incrementAndGet() <= times ? CompletableFuture.failedFuture(UNHEARD) : then, 3);
    }

    @Test
    void asksAgainWhereLettuceDidNotHearTheAnswer() {
        CompletionStage<String> refused = CompletableFuture.failedFuture(new IllegalStateException("WRONGPASS"));
        assertThatThrownBy(() -> unheardFor(2, refused).toCompletableFuture().join())
                .hasRootCauseMessage("WRONGPASS");
        assertThat(tries).hasValue(3);
    }

    @Test
    void anAnswerThatWasHeardIsTheLast() {
        CompletionStage<String> opened = CompletableFuture.completedFuture("open");
        assertThat(unheardFor(0, opened).toCompletableFuture()).isCompletedWithValue("open");
        assertThat(tries).hasValue(1);
    }

    @Test
    void doesNotAskForEver() {
        CompletionStage<String> never = CompletableFuture.completedFuture("open");
        assertThatThrownBy(() -> unheardFor(9, never).toCompletableFuture().join())
                .hasRootCauseMessage("RedisHandshakeHandler not registered");
        assertThat(tries).hasValue(4);
    }

    /** A client of Lettuce that is closed while it begins a connection, as a late start closes the client of each failed try. */
    private static final class Closing extends RedisClient {

        private final List<Boolean> endedMeanwhile = new ArrayList<>();
        private final LettuceConnector connector;
        private CompletableFuture<Void> end = new CompletableFuture<>();
        private boolean closeEarly;

        Closing(ClientResources resources) {
            super(resources, SERVER);
            ConnectorInfo info = new ConnectorInfo(
                    List.of(ADDRESS), null, "there", null, Set.of(), Duration.ofSeconds(1), Duration.ofSeconds(1));
            connector = new LettuceConnector(this, (to, purpose) -> server(), info, closing -> end = closing);
        }

        private RedisURI server() {
            if (closeEarly) {
                connector.close();
            }
            return SERVER;
        }

        @Override
        public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
                RedisCodec<K, V> codec, RedisURI uri) {
            connector.close();
            endedMeanwhile.add(end.isDone());
            throw UNHEARD;
        }

        private CompletionStage<RedisConnection> begin() {
            return connector.connect(ADDRESS, ConnectionPurpose.COMMANDS, cause -> {}, 1_000_000_000);
        }
    }

    @Test
    void theClientIsNotShutDownWhileLettuceBeginsAConnection() {
        ClientResources resources = DefaultClientResources.create();
        try {
            Closing client = new Closing(resources);
            assertThatThrownBy(client::begin).isSameAs(UNHEARD);
            assertThat(client.endedMeanwhile).containsExactly(false);
            assertThat(client.end).isCompleted();
        } finally {
            resources.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }

    @Test
    void lettuceBeginsNoConnectionOfAClientThatWasClosedAfterTheFirstCheck() {
        ClientResources resources = DefaultClientResources.create();
        try {
            Closing client = new Closing(resources);
            client.closeEarly = true;
            assertThatThrownBy(() -> client.begin().toCompletableFuture().join())
                    .hasMessageContaining("its client was shut down");
            assertThat(client.endedMeanwhile).isEmpty();
            assertThat(client.end).isCompleted();
        } finally {
            resources.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }
}
