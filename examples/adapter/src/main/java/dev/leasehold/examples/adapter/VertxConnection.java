package dev.leasehold.examples.adapter;

import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

// example: adapter-connection
/** One connection. Everything about it happens on one event loop, in the order in which it was asked for. */
final class VertxConnection implements RedisConnection {

    private final Context loop;
    private final Redis client;
    private final io.vertx.redis.client.RedisConnection connection;
    private final RedisAddress server;
    private final PushListener listener;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Commands that begin or end a subscription, which Vert.x does not wait for. Of the event loop alone. */
    private final Queue<RedisCommand> unconfirmed = new ArrayDeque<>();

    VertxConnection(
            Vertx vertx,
            Redis client,
            io.vertx.redis.client.RedisConnection connection,
            RedisAddress server,
            PushListener listener) {
        this.loop = vertx.getOrCreateContext();
        this.client = client;
        this.connection = connection;
        this.server = server;
        this.listener = listener;
        connection.handler(this::pushed);
        connection.endHandler(nothing -> ended("Redis closed it"));
        connection.exceptionHandler(failure -> ended(String.valueOf(failure)));
    }

    @Override
    public void send(List<? extends RedisCommand> commands, long timeoutNanos) {
        loop.runOnContext(now -> commands.forEach(this::send));
    }

    private void send(RedisCommand command) {
        if (ended.get()) {
            command.failed(new TransportException("the connection to " + server + " was closed", false, null));
            return;
        }
        if (command.isCancelled()) {
            return;
        }
        List<String> words = command.words();
        String name = words.get(0).toUpperCase(Locale.ROOT);
        Request request = Request.cmd(Command.create(name));
        words.subList(1, words.size()).forEach(request::arg);
        command.written();
        if (name.endsWith("SUBSCRIBE")) {
            unconfirmed.add(command);
            connection.send(request).onFailure(failure -> ended(String.valueOf(failure)));
            return;
        }
        connection
                .send(request)
                .onSuccess(reply -> command.answered(value(reply)))
                .onFailure(failure -> command.failed(VertxConnector.failureOf(failure, true, server)));
    }

    /** What arrives and is no reply that Vert.x waits for: a message, a confirmation, or a refusal of the oldest command. */
    private void pushed(Response push) {
        if (push.type() == ResponseType.ERROR) {
            confirmed(command -> command.failed(new RedisErrorException(push.toString())));
            return;
        }
        String channel = String.valueOf(push.get(1));
        switch (push.get(0).toString()) {
            case "message", "smessage" -> listener.message(channel, push.get(2).toString());
            case "subscribe", "ssubscribe" -> confirmed(command -> command.answered(null));
            case "unsubscribe", "sunsubscribe" -> unsubscribed(channel);
            default -> {}
        }
    }

    /** A cluster ends the subscription of a sharded channel also unasked, when its slot has moved away. */
    private void unsubscribed(String channel) {
        RedisCommand oldest = unconfirmed.peek();
        if (oldest != null
                && oldest.words().get(0).contains("UNSUBSCRIBE")
                && oldest.words().get(1).equals(channel)) {
            confirmed(command -> command.answered(null));
        }
        listener.unsubscribed(channel);
    }

    private void confirmed(Consumer<RedisCommand> outcome) {
        RedisCommand oldest = unconfirmed.poll();
        if (oldest != null) {
            outcome.accept(oldest);
        }
    }

    private static @Nullable Object value(@Nullable Response reply) {
        if (reply == null) {
            return null;
        }
        return switch (reply.type()) {
            case NUMBER -> reply.toLong();
            case ERROR -> new RedisErrorException(reply.toString());
            case MULTI -> {
                List<@Nullable Object> elements = new ArrayList<>(reply.size());
                for (int i = 0; i < reply.size(); i++) {
                    elements.add(value(reply.get(i)));
                }
                yield elements;
            }
            default -> reply.toString();
        };
    }

    @Override
    public boolean isOpen() {
        return !ended.get();
    }

    @Override
    public RedisAddress server() {
        return server;
    }

    @Override
    public void close() {
        ended("it was closed");
    }

    private void ended(String cause) {
        if (ended.compareAndSet(false, true)) {
            client.close();
            loop.runOnContext(now -> unconfirmed.forEach(command ->
                    command.failed(new TransportException("the connection to " + server + " was closed", true, null))));
            listener.closed(cause);
        }
    }
}
// end
