package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A connection of a Lettuce client. It ends with the first disconnection, whatever the options of a lent client say: Lettuce
 * replays what a closed connection left only on that same connection object, and that is closed before Lettuce begins to
 * reconnect.
 */
final class LettuceConnection implements RedisConnection {

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAddress server;
    private final PushListener listener;
    private final Consumer<CompletableFuture<Void>> closing;
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Listens to an open connection.
     *
     * @param closing gets the end of the connection once it is being closed
     */
    LettuceConnection(
            StatefulRedisConnection<String, String> connection,
            RedisAddress server,
            ConnectionPurpose purpose,
            PushListener listener,
            Consumer<CompletableFuture<Void>> closing) {
        this.connection = connection;
        this.server = server;
        this.listener = listener;
        this.closing = closing;
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                ended("it broke");
            }
        });
        if (connection instanceof StatefulRedisPubSubConnection<String, String> subscriber) {
            subscriber.addListener(new Pushes());
        } else if (purpose == ConnectionPurpose.TRACKED_COMMANDS) {
            connection.addListener(this::pushed);
        }
    }

    private void pushed(PushMessage message) {
        if (message.getType().equals("invalidate")) {
            Object keys = message.getContent(StringCodec.UTF8::decodeKey).get(1);
            listener.invalidated(
                    keys instanceof List<?> all
                            ? all.stream().map(String::valueOf).toList()
                            : null);
        }
    }

    String address() {
        return server.toString();
    }

    @Override
    public void send(List<? extends RedisCommand> commands, long timeoutNanos) {
        if (connection instanceof StatefulRedisPubSubConnection<String, String> subscriber) {
            commands.forEach(command -> send(subscriber.async(), command));
            return;
        }
        if (commands.size() == 1) {
            LettuceCommand one = new LettuceCommand(commands.get(0), this);
            connection.dispatch(one);
            if (ended.get()) {
                // Lettuce may have buffered it after the buffer was drained.
                one.leftBehind(true);
            }
            return;
        }
        List<LettuceCommand> all = new ArrayList<>(commands.size());
        commands.forEach(command -> all.add(new LettuceCommand(command, this)));
        connection.dispatch(all);
        if (ended.get()) {
            all.forEach(command -> command.leftBehind(true));
        }
    }

    private void send(RedisPubSubAsyncCommands<String, String> subscriber, RedisCommand command) {
        String channel = command.words().get(1);
        command.written();
        RedisFuture<Void> sent = switch (command.words().get(0)) {
            case "SUBSCRIBE" -> subscriber.subscribe(channel);
            case "UNSUBSCRIBE" -> subscriber.unsubscribe(channel);
            case "SSUBSCRIBE" -> subscriber.ssubscribe(channel);
            case "SUNSUBSCRIBE" -> subscriber.sunsubscribe(channel);
            default -> throw new IllegalArgumentException(command.words() + " over a subscriber");
        };
        CompletionStage<Void> unused = sent.whenComplete((nothing, failure) -> {
            if (failure == null) {
                command.answered(null);
            } else {
                command.failed(LettuceFailures.of(failure, true, address()));
            }
        });
    }

    /** Nothing is to be sent over it any more. */
    void ended(String cause) {
        if (ended.compareAndSet(false, true)) {
            closing.accept(connection.closeAsync());
            listener.closed(cause);
        }
    }

    @Override
    public boolean isOpen() {
        return !ended.get() && connection.isOpen();
    }

    @Override
    public RedisAddress server() {
        return server;
    }

    @Override
    public void close() {
        ended("it was closed");
    }

    /** Hands over what a subscriber receives. */
    private final class Pushes extends RedisPubSubAdapter<String, String> {

        @Override
        public void message(String channel, String message) {
            listener.message(channel, message);
        }

        @Override
        public void smessage(String channel, String message) {
            listener.message(channel, message);
        }

        @Override
        public void unsubscribed(String channel, long count) {
            listener.unsubscribed(channel);
        }

        @Override
        public void sunsubscribed(String channel, long count) {
            listener.unsubscribed(channel);
        }
    }
}
