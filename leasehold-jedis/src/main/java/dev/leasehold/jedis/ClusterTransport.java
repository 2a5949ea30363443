package dev.leasehold.jedis;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A transport to a Redis Cluster. */
final class ClusterTransport implements RedisTransport {

    private final ClusterServers servers;
    private final TimeSource time;
    private final long commandTimeoutNanos;
    private final boolean sharding;

    private ClusterTransport(ClusterServers servers, TimeSource time, long commandTimeoutNanos, boolean sharding) {
        this.servers = servers;
        this.time = time;
        this.commandTimeoutNanos = commandTimeoutNanos;
        this.sharding = sharding;
    }

    /**
     * Asks for the slots and whether there are channels of shards.
     *
     * @throws TransportException if no node answers
     * @throws RedisErrorException if the last that was asked refused
     */
    static ClusterTransport connect(
            ClusterNodes.Source source, TimeSource time, Duration connectTimeout, Duration commandTimeout) {
        ClusterServers servers = new ClusterServers(source, time, connectTimeout.toNanos());
        try {
            servers.ask(connectTimeout.toNanos());
            boolean sharding = hasShardChannels(servers, connectTimeout);
            servers.begin();
            return new ClusterTransport(servers, time, commandTimeout.toNanos(), sharding);
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** Not known where INFO is forbidden, of which the preflight tells. */
    private static boolean hasShardChannels(ClusterServers servers, Duration timeout) {
        try {
            return servers.info(timeout.toNanos()).hasShardChannels();
        } catch (RedisErrorException e) {
            if (!e.code().equals("NOPERM")) {
                throw e;
            }
            return false;
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return CallerExchanges.stage(
                () -> following(servers.nodeOf(call), call.timeoutNanos(), (talk, asking) -> talk.eval(call, asking)));
    }

    /** Exchanges with the node, or with those to which it sends on, within the time. */
    private <T extends @Nullable Object> T following(
            ClusterNode first, long timeoutNanos, BiFunction<CommandExchange, Boolean, T> exchange) {
        long until = time.nanoTime() + timeoutNanos;
        ClusterNode node = first;
        boolean asking = false;
        for (int detours = 0; ; detours++) {
            boolean behindAsking = asking;
            try {
                return node.run(until - time.nanoTime(), talk -> exchange.apply(talk, behindAsking));
            } catch (RedisErrorException e) {
                ClusterServers.Detour detour = detours < ClusterServers.MOST_DETOURS ? servers.redirect(e, node) : null;
                if (detour == null) {
                    throw e;
                }
                node = detour.node();
                asking = detour.asking();
            } catch (TransportException e) {
                servers.unanswered(node);
                throw e;
            }
        }
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<BatchThread.Entry> entries = BatchThread.entries(calls, time);
        Map<ClusterNode, List<BatchThread.Entry>> byNode = new LinkedHashMap<>();
        for (BatchThread.Entry entry : entries) {
            byNode.computeIfAbsent(servers.nodeOf(entry.call), node -> new ArrayList<>())
                    .add(entry);
        }
        byNode.forEach((node, group) -> node.lane().add(group));
        return List.copyOf(entries);
    }

    /** A call sent to the wrong node has not run, and is tried again by the waiter. */
    @Override
    public CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
        return CallerExchanges.stage(() -> {
            ClusterNode node = servers.nodeOf(dialogue.key());
            try {
                RedisErrorException first = node.run(dialogue.timeoutNanos(), talk -> talk.converse(dialogue));
                if (first != null) {
                    ClusterServers.@Nullable Detour unused = servers.redirect(first, node);
                }
                return null;
            } catch (TransportException e) {
                servers.unanswered(node);
                throw e;
            }
        });
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return sharding && channel.indexOf('{') >= 0
                ? servers.shards().subscribe(channel, listener)
                : servers.subscriptions().subscribe(channel, listener);
    }

    @Override
    public String shardOf(String key) {
        return sharding ? servers.shards().tagFor(key) : "";
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return CallerExchanges.stage(() -> {
            ClusterView view = servers.ask(ClusterServers.PATIENCE_NANOS);
            Set<Capability> capabilities = EnumSet.of(Capability.AT_MOST_ONCE, Capability.CONVERSES);
            if (sharding) {
                capabilities.add(Capability.SHARDED_PUBSUB);
            }
            String version = servers.info(commandTimeoutNanos).version();
            return new ServerDescription(version, view.nodes(), capabilities);
        });
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        if (node == null) {
            return CallerExchanges.stage(
                    () -> following(servers.any(), commandTimeoutNanos, (talk, asking) -> command(talk, asking, args)));
        }
        ClusterNode server = servers.find(node);
        return server == null
                ? CompletableFuture.failedFuture(
                        new IllegalArgumentException(node + " is not a server of this transport; see describe()"))
                : CallerExchanges.stage(() -> server.run(commandTimeoutNanos, talk -> command(talk, false, args)));
    }

    private static @Nullable Object command(CommandExchange talk, boolean asking, List<String> args) {
        if (asking) {
            talk.ask(Commands.ASKING);
        }
        return Replies.nested(talk.ask(Commands.of(args)));
    }

    @Override
    public void close() {
        servers.close();
    }

    @Override
    public String toString() {
        return servers.address();
    }
}
