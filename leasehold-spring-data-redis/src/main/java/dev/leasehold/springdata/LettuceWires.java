package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionProvider;

/**
 * Connections of Lettuce's, by the settings of a {@code LettuceConnectionFactory}: over a client of our own, for the lent
 * one would send again what a broken connection left; on the threads of the lent one.
 */
final class LettuceWires implements Wires {

    private static final int MAX_UNREAD = 3;

    /** What Lettuce says of a channel that lost its handlers, or closed, before the answer to its first command was read. */
    private static final List<String> UNREAD = List.of("RedisHandshakeHandler", "Connection closed prematurely");

    private final AbstractRedisClient client;
    private final LettuceConnectionProvider provider;
    private final String address;
    private final @Nullable RedisNode server;
    private final TimeSource time;
    private volatile boolean closed;

    private LettuceWires(LettuceSettings settings, TimeSource time) {
        this.client = settings.client();
        this.provider = settings.provider(client, StringCodec.UTF8);
        this.address = settings.address();
        this.server = settings.server();
        this.time = time;
    }

    static Wires of(RedisConnectionFactory lent, TimeSource time) {
        return new LettuceWires(LettuceSettings.of((LettuceConnectionFactory) lent), time);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public @Nullable RedisNode server() {
        return server;
    }

    @Override
    public boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    @Override
    public List<RedisNode> nodes(long timeoutNanos) {
        RedisClusterClient cluster = (RedisClusterClient) client;
        try {
            AnswerWait.untilAnswered(cluster.refreshPartitionsAsync().toCompletableFuture(), timeoutNanos);
        } catch (Exception e) {
            throw Failures.unsent(e, RedisCommandExecutionException.class, address);
        }
        return cluster.getPartitions().stream()
                .map(node -> new RedisNode(
                        node.getUri().getHost(),
                        node.getUri().getPort(),
                        node.getRole().isUpstream()))
                .sorted(Comparator.comparing((RedisNode node) -> !node.primary()))
                .toList();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Wire open(long timeoutNanos) {
        return new LettuceWire(
                (StatefulConnection<String, String>) connect(StatefulConnection.class, timeoutNanos), address, time);
    }

    @Override
    @SuppressWarnings("unchecked")
    public PubSubConnection openPubSub(long timeoutNanos) {
        return new LettucePubSubConnection(
                (StatefulRedisPubSubConnection<String, String>)
                        connect(StatefulRedisPubSubConnection.class, timeoutNanos),
                address);
    }

    private <C extends StatefulConnection<?, ?>> C connect(Class<C> type, long timeoutNanos) {
        if (closed) {
            throw Failures.closed(address);
        }
        if (timeoutNanos <= 0) {
            throw new TransportException(
                    "no connection to Redis at " + address + ": no time was left to open one", false, null);
        }
        CompletableFuture<C> opening = new CompletableFuture<>();
        try {
            CompletionStage<C> unused = retryUnread(() -> provider.getConnectionAsync(type), MAX_UNREAD)
                    .whenComplete((made, failure) -> {
                        if (failure != null) {
                            opening.completeExceptionally(failure);
                        } else if (!opening.complete(made)) {
                            // No caller waits for it any more.
                            CompletableFuture<Void> unusedEnd = made.closeAsync();
                        }
                    });
            return AnswerWait.untilAnswered(opening, timeoutNanos);
        } catch (Exception e) {
            opening.completeExceptionally(e);
            throw closed ? Failures.closed(address) : Failures.unsent(e, RedisCommandExecutionException.class, address);
        }
    }

    /**
     * Connects again, so many times at the most, where Lettuce did not hear what the server said: a server that refuses
     * hangs up at once, and Lettuce may find the channel stripped of its handlers before it has asked for the answer.
     */
    private static <T> CompletionStage<T> retryUnread(Supplier<CompletionStage<T>> connect, int times) {
        return connect.get()
                .toCompletableFuture()
                .exceptionallyCompose(failure -> times > 0 && answerUnread(failure)
                        ? retryUnread(connect, times - 1)
                        : CompletableFuture.failedFuture(failure));
    }

    /** All that Lettuce has to tell then is this message. */
    private static boolean answerUnread(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (UNREAD.stream().anyMatch(message::contains)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        closed = true;
        CompletionStage<Void> unused = client.shutdownAsync(0, 0, TimeUnit.SECONDS);
    }
}
