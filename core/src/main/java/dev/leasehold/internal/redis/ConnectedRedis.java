package dev.leasehold.internal.redis;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.server.DurableEval;
import dev.leasehold.internal.redis.server.EvalCommand;
import dev.leasehold.internal.redis.server.Server;
import dev.leasehold.internal.redis.server.Servers;
import dev.leasehold.internal.redis.server.WaitCommand;
import dev.leasehold.internal.redis.server.Way;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo.Trait;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransport.ConnectionCounts;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A Redis over the connections of a client: a single server, a cluster, or the primary that Sentinels name. */
public final class ConnectedRedis implements RedisTransport {

    private final CountedConnector connector;
    private final Servers servers;
    private final Invalidations invalidations;
    private final Runnable afterClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    ConnectedRedis(CountedConnector connector, Servers servers, Invalidations invalidations, Runnable afterClose) {
        this.connector = connector;
        this.servers = servers;
        this.invalidations = invalidations;
        this.afterClose = afterClose;
    }

    /** Connects; see {@link dev.leasehold.redis.Redis#over}. */
    public static RedisTransport connect(RedisConnector connector) {
        return new Bootstrap(connector).connect();
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return send(call, Way.CALL);
    }

    @Override
    public CompletionStage<List<String>> inspect(ScriptCall call) {
        return send(call, Way.INSPECTION);
    }

    private EvalCommand send(ScriptCall call, Way way) {
        EvalCommand command = new EvalCommand(call, servers, way);
        command.send();
        return command;
    }

    /** {@inheritDoc} On a cluster that is one flush for each node, and none waits for another. */
    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<EvalCommand> commands = new ArrayList<>(calls.size());
        Map<CommandPath, List<EvalCommand>> byPath = new LinkedHashMap<>();
        long longest = 0;
        for (ScriptCall call : calls) {
            EvalCommand command = new EvalCommand(call, servers, Way.BATCH);
            commands.add(command);
            byPath.computeIfAbsent(command.path(), path -> new ArrayList<>()).add(command);
            longest = Math.max(longest, call.timeoutNanos());
        }
        for (Map.Entry<CommandPath, List<EvalCommand>> each : byPath.entrySet()) {
            each.getKey().send(each.getValue(), longest);
        }
        return List.copyOf(commands);
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        invalidations.to(listener);
    }

    /**
     * {@inheritDoc}
     *
     * <p>On a cluster each node has a connection for this, and each waits for its own replicas.
     */
    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        Map<Server, WaitCommand> waits = new LinkedHashMap<>();
        Map<WaitCommand, List<DurableEval>> byWait = new LinkedHashMap<>();
        List<DurableReply> replies = new ArrayList<>(calls.size());
        long longest = 0;
        for (ScriptCall call : calls) {
            Server server = servers.serverOf(call);
            WaitCommand wait = waits.computeIfAbsent(server, to -> WaitCommand.of(onDisk, replicas, withinMillis));
            DurableEval command = new DurableEval(call, servers, server, wait);
            byWait.computeIfAbsent(wait, behind -> new ArrayList<>()).add(command);
            replies.add(new DurableReply(command, command.replicas()));
            longest = Math.max(longest, call.timeoutNanos());
        }
        for (Map.Entry<WaitCommand, List<DurableEval>> each : byWait.entrySet()) {
            List<PendingCommand<?>> flush = new ArrayList<>(each.getValue());
            flush.add(each.getKey());
            each.getValue().get(0).path().send(flush, longest);
        }
        return List.copyOf(replies);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return servers.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribeToBothKinds(String channel, ChannelListener listener) {
        return servers.subscribeToBothKinds(channel, listener);
    }

    @Override
    public String shardOf(String key) {
        return servers.shardOf(key);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        Set<Capability> capabilities = EnumSet.of(Capability.WAITS_FOR_REPLICAS);
        if (connector.info().is(Trait.AT_MOST_ONCE)) {
            capabilities.add(Capability.AT_MOST_ONCE);
        }
        if (!connector.info().is(Trait.BLOCKING)) {
            capabilities.add(Capability.SHARES_CONNECTIONS);
        }
        if (connector.info().is(Trait.RECEIVES_INVALIDATIONS)) {
            capabilities.add(Capability.TRACKS_KEYS);
        }
        return servers.describe(capabilities);
    }

    /**
     * {@inheritDoc}
     *
     * <p>It runs on a connection that callers use, so it must neither block nor change the connection's state; SCAN on the one for
     * inspection.
     */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        if (node == null) {
            return servers.command(args);
        }
        Server server = servers.find(node);
        return server != null
                ? server.command(args)
                : CompletableFuture.failedFuture(
                        new IllegalArgumentException(node + " is not a server of this transport; see describe()"));
    }

    /** {@inheritDoc} Does not wait for that. Calls in flight and later ones fail. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            servers.close("the transport was closed");
            afterClose.run();
        }
    }

    @Override
    public Map<ConnectionPurpose, ConnectionCounts> connections() {
        return connector.counts();
    }

    @Override
    public String address() {
        return servers.address();
    }

    @Override
    public String toString() {
        return "Redis[" + address() + "]";
    }
}
