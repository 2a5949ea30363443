package dev.leasehold.internal.connect;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransport.ConnectionCounts;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Redis that has not been reached yet. Until it is, every call fails at once, with the reason why, as it does in an outage; only
 * subscriptions wait. From then on all goes to the transport that reached it. Safe for use by any thread.
 */
public final class LateTransport implements RedisTransport {

    private final String address;
    private final CompletableFuture<RedisTransport> reached = new CompletableFuture<>();
    private volatile @Nullable RedisTransport redis;
    private volatile Reason reason = new Reason("the first try to reach it is under way", null);

    private record Reason(String text, @Nullable RuntimeException failure) {}

    /** Creates one for a server with this address, without secrets. */
    public LateTransport(String address) {
        this.address = address;
    }

    /** Sets why Redis cannot be used now: in words, and what the last try to reach it threw. */
    public void failed(String why, @Nullable RuntimeException failure) {
        reason = new Reason(why, failure);
    }

    /** Hands all further calls to a transport. */
    public void reached(RedisTransport transport) {
        redis = transport;
        reached.complete(transport);
    }

    private TransportException notReached() {
        Reason why = reason;
        return new TransportException(
                "Redis was not reached since this client started: " + why.text, false, why.failure);
    }

    private RedisTransport redis() {
        RedisTransport transport = redis;
        if (transport == null) {
            throw notReached();
        }
        return transport;
    }

    private <T extends @Nullable Object> CompletionStage<T> call(Function<RedisTransport, CompletionStage<T>> method) {
        RedisTransport transport = redis;
        return transport == null ? CompletableFuture.failedFuture(notReached()) : method.apply(transport);
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return call(transport -> transport.eval(call));
    }

    @Override
    public CompletionStage<List<String>> inspect(ScriptCall call) {
        return call(transport -> transport.inspect(call));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return redis().evalBatch(calls);
    }

    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        return redis().evalDurably(calls, onDisk, replicas, withinMillis);
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        RedisTransport transport = redis;
        if (transport != null) {
            transport.onInvalidation(listener);
        }
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return reached.thenCompose(transport -> transport.subscribe(channel, listener));
    }

    @Override
    public CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return reached.thenCompose(transport -> transport.subscribeToBothKinds(channel, listener));
    }

    @Override
    public String shardOf(String key) {
        RedisTransport transport = redis;
        return transport == null ? "" : transport.shardOf(key);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return call(RedisTransport::describe);
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return call(transport -> transport.command(node, args));
    }

    @Override
    public Map<ConnectionPurpose, ConnectionCounts> connections() {
        RedisTransport transport = redis;
        return transport == null ? Map.of() : transport.connections();
    }

    @Override
    public String address() {
        RedisTransport transport = redis;
        return transport == null ? address : transport.address();
    }

    /** Ends what waits for Redis; whoever opened the transport that reached it closes that. */
    @Override
    public void close() {
        failed("the client was closed", null);
        reached.completeExceptionally(notReached());
    }
}
