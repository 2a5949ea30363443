package dev.leasehold.testkit;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one client to a {@link SimulatedRedis}, on which a {@link Network} decides the fate of each
 * request. It has three connections, one for {@link #eval}, one for {@link #evalBatch}, and one for tracked scripts. Requests on one
 * connection arrive and are answered in order; requests on different connections may overtake each other.
 *
 * <p>{@link Fate#AT_ONCE} completes on the caller's stack, like a blocking client. Any request that takes time
 * completes later on the timer, as with a non-blocking client. A reply that is lost without the connection never
 * arrives: the caller needs a timeout for this. When the server restarts or fails over, requests on their way are
 * lost, and their callers learn that the connection broke.
 *
 * <p>To be used by one thread at a time, that of the timer included; with {@link Fate#AT_ONCE} for every request,
 * by any.
 */
public final class SimulatedTransport implements RedisTransport {

    /** The capabilities: a request is sent once, and all clients subscribe on the one server. */
    static final Set<Capability> CAPABILITIES = Set.of(
            Capability.AT_MOST_ONCE,
            Capability.COUNTS_RECEIVERS,
            Capability.CALLS_ACROSS_SLOTS,
            Capability.TRACKS_KEYS);

    private static final RedisNode NODE = new RedisNode("simulated", 6379, true);

    private final SimulatedRedis redis;
    private final Network network;
    private final SimulatedConnection single;
    private final SimulatedConnection batches;
    private final SimulatedConnection tracked;
    private final Consumer<String> tracking = this::invalidated;
    private final Runnable connectionsLost = this::loseConnections;
    private final List<ChannelListener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable InvalidationListener invalidations;
    private boolean paused;
    private final List<Runnable> waiting = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Connects.
     *
     * @param redis the server
     * @param timer completes the requests that take time
     * @param network decides the fate of each request
     */
    public SimulatedTransport(SimulatedRedis redis, Timer timer, Network network) {
        this.redis = redis;
        this.network = network;
        this.single = new SimulatedConnection(redis, timer, this::serve, null);
        this.batches = new SimulatedConnection(redis, timer, this::serve, null);
        this.tracked = new SimulatedConnection(redis, timer, this::serve, tracking);
        redis.onConnectionsLost(connectionsLost);
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        requireOpen();
        return single.send(call, network.of(call));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        requireOpen();
        List<CompletionStage<List<String>>> stages = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            boolean tracks = call.script().tracked() && invalidations != null;
            stages.add((tracks ? tracked : batches).send(call, network.of(call)));
        }
        return stages;
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        invalidations = listener;
    }

    private void invalidated(String key) {
        InvalidationListener listener = invalidations;
        if (listener != null) {
            listener.invalidated(key);
        }
    }

    /**
     * Stops or resumes the server as this client sees it. While it is stopped, requests arrive and none is
     * executed. When it resumes, all are executed in order of their arrival.
     *
     * @param stop whether to stop it
     */
    public void pause(boolean stop) {
        paused = stop;
        if (!stop) {
            List<Runnable> arrived = List.copyOf(waiting);
            waiting.clear();
            arrived.forEach(Runnable::run);
        }
    }

    /** Runs a request that has arrived, now or when the server resumes. */
    private void serve(Runnable request) {
        if (paused) {
            waiting.add(request);
        } else {
            request.run();
        }
    }

    private void loseConnections() {
        waiting.clear();
        single.lose();
        batches.lose();
        tracked.lose();
        redis.untrack(tracking);
        listeners.forEach(ChannelListener::resubscribed);
        InvalidationListener listener = invalidations;
        if (listener != null) {
            listener.allInvalidated();
        }
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        requireOpen();
        AutoCloseable subscription = redis.subscribe(channel, listener);
        listeners.add(listener);
        return CompletableFuture.completedFuture(() -> {
            listeners.remove(listener);
            subscription.close();
        });
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        requireOpen();
        return CompletableFuture.completedFuture(new ServerDescription("7.0.15", List.of(NODE), CAPABILITIES));
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        requireOpen();
        CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
        serve(() -> complete(future, () -> redis.execute(args)));
        return future;
    }

    static <T extends @Nullable Object> void complete(CompletableFuture<T> future, Supplier<T> work) {
        T result;
        try {
            result = work.get();
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
            return;
        }
        future.complete(result);
    }

    private void requireOpen() {
        if (closed) {
            throw new TransportException("the transport is closed", false, null);
        }
    }

    /** Closes the connections; requests on their way fail. The server is not closed. */
    @Override
    public void close() {
        closed = true;
        listeners.clear();
        invalidations = null;
        redis.forget(connectionsLost);
        loseConnections();
    }
}
