package dev.leasehold.fencing;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisException;
import dev.leasehold.testkit.RedisReplyException;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A transport that runs scripts only, as a guard needs no more. Its calls may fail as those of a Redis client do. */
final class TestTransport implements RedisTransport {

    private final Function<ScriptCall, List<String>> server;
    private final AtomicReference<@Nullable CompletableFuture<List<String>>> last = new AtomicReference<>();

    private TestTransport(Function<ScriptCall, List<String>> server) {
        this.server = server;
    }

    static TestTransport to(SimulatedRedis redis) {
        return new TestTransport(redis::eval);
    }

    static TestTransport to(EmbeddedRedis redis) {
        return new TestTransport(call -> eval(redis, call));
    }

    static TestTransport toNowhere() {
        return new TestTransport(call -> {
            throw new TransportException("no server answers", false, null);
        });
    }

    private static List<String> eval(EmbeddedRedis redis, ScriptCall call) {
        List<String> command = new ArrayList<>(List.of("EVAL", call.script().body()));
        command.add(Integer.toString(call.keys().size()));
        command.addAll(call.keys());
        command.addAll(call.args());
        try {
            Object reply = redis.command(command.toArray(new String[0]));
            return ((List<?>) reply).stream().map(String.class::cast).toList();
        } catch (RedisReplyException e) {
            throw new RedisErrorException(String.valueOf(e.getMessage()));
        } catch (EmbeddedRedisException e) {
            throw new TransportException("no answer", true, e);
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        CompletableFuture<List<String>> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return server.apply(call);
            } catch (RuntimeException e) {
                throw new CompletionException(e);
            }
        });
        last.set(answer);
        return answer;
    }

    /** Returns whether the caller has cancelled the last call. */
    boolean lastIsCancelled() {
        CompletableFuture<List<String>> answer = last.get();
        return answer != null && answer.isCancelled();
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
