package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Subscriptions over a connection of Lettuce's, which says on its I/O thread what it hears. */
final class LettucePubSubConnection implements PubSubConnection {

    private final StatefulRedisPubSubConnection<String, String> connection;
    private final String address;

    /** Completed when the last subscription has ended, or exceptionally. */
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    LettucePubSubConnection(StatefulRedisPubSubConnection<String, String> connection, String address) {
        this.connection = connection;
        this.address = address;
    }

    @Override
    public void listen(String first, MessageHandler handler) {
        connection.addListener(new RedisPubSubAdapter<String, String>() {
            @Override
            public void subscribed(String channel, long count) {
                handler.subscribed(channel);
            }

            @Override
            public void unsubscribed(String channel, long count) {
                handler.unsubscribed(channel);
                if (count == 0) {
                    ended.complete(null);
                }
            }

            @Override
            public void message(String channel, String message) {
                handler.message(channel, message);
            }
        });
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                broke("the connection broke");
            }
        });
        if (!connection.isOpen()) {
            broke("the connection broke");
        }
        subscribe(first);
        awaitEnd();
    }

    private void broke(String how) {
        ended.completeExceptionally(
                new TransportException("no answer from Redis at " + address + ": " + how, true, null));
    }

    private void awaitEnd() {
        try {
            ended.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException reason ? reason : e;
        }
    }

    @Override
    public void subscribe(String channel) {
        judge(connection.async().subscribe(channel));
    }

    @Override
    public void unsubscribe(String channel) {
        judge(connection.async().unsubscribe(channel));
    }

    private void judge(CompletionStage<Void> answer) {
        CompletionStage<Void> unused = answer.whenComplete((nothing, failure) -> {
            if (failure == null) {
                return;
            }
            Throwable reason =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            ended.completeExceptionally(
                    reason instanceof RedisCommandExecutionException
                            ? Failures.refusal(reason)
                            : Failures.unanswered(reason, address));
        });
    }

    @Override
    public void cut() {
        broke("the connection was closed");
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    @Override
    public void end(boolean sound) {
        cut();
    }
}
