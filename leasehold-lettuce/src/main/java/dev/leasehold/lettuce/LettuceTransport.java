package dev.leasehold.lettuce;

import dev.leasehold.internal.adapter.ShardChannels;
import dev.leasehold.lettuce.LettuceNode.Way;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Leasehold over Lettuce, for one Redis or Valkey server, the primary that sentinels name, or a cluster. Safe for use
 * by any thread.
 *
 * <p><b>Connections.</b> Four at most: one for what callers wait for and for inspection, one for renewals and whatever
 * else is sent in batches, one for subscriptions, and one for what replicas are awaited for; the last two are opened at
 * their first use. Without scripts, one more for dialogues. Each is opened again when it breaks,
 * at first after about 10 ms, then with growing pauses of up to 1 s.
 *
 * <p><b>Cluster.</b> A server that turns out to be a node of a cluster leads to the others. The first two connections
 * are opened to each primary, when it is first needed, and so is one for the channels of its shard, if the servers have
 * such; for plain subscriptions there is one in all. Calls go to the primary of their key's slot and follow MOVED and
 * ASK. The owners of the slots are queried every 30 s, and as soon as a node redirects, does not answer or has to be
 * connected to again, at most once a second. A node that does not answer holds up nothing but its own calls.
 *
 * <p><b>Sentinel.</b> Before each connection all Sentinels are asked for the primary, and the answer of most of them is
 * believed. Two connections to each are kept, for that question and for what it publishes: when most of them name
 * another server, all connections to the last are given up at once, though it may still answer. So they are when it
 * answers {@code READONLY}, at most once a second.
 *
 * <p><b>At most once.</b> No command is sent twice, nor kept for a later connection. What is in flight when a connection
 * breaks fails at once with {@link TransportException}, which says that it may have been executed. What meets no open
 * connection waits for the one that is being opened, at most its timeout, and if that fails, fails with the statement
 * that it was not executed. That holds for a lent client too, whatever its options: a connection opened here is closed
 * as soon as it is disconnected, before Lettuce reconnects it. Since that client could still be told to behave
 * otherwise, {@link #describe()} reports {@link Capability#AT_MOST_ONCE} only if its automatic reconnection is off.
 *
 * <p><b>Silence.</b> There is no timeout here: the caller has one, and cancels the stage's future. A connection on
 * which nothing has arrived between sending and cancelling is replaced, provided that it was silent for 150 ms; other
 * commands in flight on it fail. So the next attempt goes over a new connection, when a firewall has swallowed the old.
 *
 * <p>Stages complete on Lettuce's I/O threads: what depends on them must not block.
 */
public final class LettuceTransport implements RedisTransport {

    private static final long LONGEST_PATIENCE_NANOS = LentSentinels.PATIENCE_NANOS;

    private final RedisClient client;
    private final Servers servers;
    private final LettuceSubscriptions subscriptions;
    private final Runnable afterClose;

    private LettuceTransport(RedisClient client, Servers servers, Runnable afterClose) {
        this.client = client;
        this.servers = servers;
        this.afterClose = afterClose;
        subscriptions =
                new LettuceSubscriptions(servers, client.getResources().eventExecutorGroup(), ChannelKind.PLAIN);
        servers.onSwitch(subscriptions::restart);
    }

    /**
     * Connects with a Lettuce client of its own, which ends with the transport. It has four daemon threads and a timer.
     * {@code redis-sentinel} leads to the primary that the sentinels name, and so does {@code rediss-sentinel}, where
     * sentinels and servers speak TLS. Sentinels have a user and a password of their own
     * ({@code &sentinelUser=...&sentinelPassword=...}), or none.
     * Certificates and host names of {@code rediss} servers are verified. {@code redis-socket} leads to the Unix socket of
     * one server, and needs Netty's native transport (epoll or kqueue), which {@code leasehold-lettuce} brings for Linux.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect timeout
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number; or sentinels without the name of a primary; or the Unix socket of a node of a cluster
     * @throws IllegalStateException if it names a Unix socket, and Netty has no native transport here; the message says
     *     what to add
     */
    public static LettuceTransport create(ConnectionSettings settings) {
        if (RedisSentinels.areNamedIn(settings.uri())) {
            return create(settings, RedisSentinels.of(settings));
        }
        RedisURI uri = OwnedClient.uri(settings);
        OwnedClient owned = new OwnedClient(settings);
        LettuceConnector connector = new LettuceConnector(owned.client(), uri, settings.address());
        return connect(owned.client(), connector, settings.connectTimeout(), owned::close);
    }

    private static LettuceTransport create(ConnectionSettings settings, RedisSentinels named) {
        OwnedClient owned = new OwnedClient(settings);
        List<RedisURI> uris = named.sentinels().stream()
                .map(each -> OwnedClient.uri(settings, each))
                .toList();
        Sentinels sentinels = new Sentinels(
                owned.client(), uris, named.primaryName(), settings.address(), patience(settings.connectTimeout()));
        LettuceConnector connector = new LettuceConnector(
                owned.client(),
                sentinels,
                primary -> OwnedClient.uri(settings, named.server(primary.host(), primary.port())),
                settings.address());
        return connect(owned.client(), connector, settings.connectTimeout(), owned::close);
    }

    /** A wait for silent Sentinels must leave time to connect to the primary that the others name. */
    private static long patience(Duration connectTimeout) {
        return Math.min(connectTimeout.toNanos() / 2, LONGEST_PATIENCE_NANOS);
    }

    /**
     * Connects over a client that the application has, to the server of the client's own URI. The client stays open when
     * the transport is closed, and its options, resources and listeners apply to the connections.
     *
     * <p>If that URI names sentinels, Lettuce asks them at each new connection. What they publish is not heard, since the
     * client does not tell where they are: the server that was the primary is left when its connections break or it refuses
     * a write. Where another is put in the place of one that runs, hand the URI over, too: {@link #over(RedisClient, RedisURI)}.
     *
     * @param client a client made with a URI
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static LettuceTransport over(RedisClient client) {
        return lent(client, null, "the given client's own address");
    }

    /**
     * Connects over a client that the application has, to a server of choice, or to the primary that sentinels name; else as
     * {@link #over(RedisClient)}. The sentinels of such a URI keep their own users and passwords.
     *
     * @param client a client
     * @param uri the server, or the sentinels and the name of the primary
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static LettuceTransport over(RedisClient client, RedisURI uri) {
        return uri.getSentinels().isEmpty()
                ? lent(client, uri, address(uri))
                : connect(client, LentSentinels.connector(client, uri), LentCluster.ENDED_BY_LETTUCE, () -> {});
    }

    /**
     * Connects to the Redis Cluster of a client that the application has. Its resources, credentials and options apply
     * to the connections, but nothing is sent twice, whatever the options say; its listeners do not apply. It stays open
     * when the transport is closed.
     *
     * @param client a client of a cluster
     * @return the transport, connected
     * @throws TransportException if no node of the cluster can be reached
     * @throws RedisErrorException if the node that was asked refuses, for example the password
     */
    public static LettuceTransport over(RedisClusterClient client) {
        LentCluster lent = new LentCluster(client);
        return new LettuceTransport(lent.client(), lent.connect(), lent::close);
    }

    private static String address(RedisURI uri) {
        return uri.getSocket() == null
                ? uri.getHost() + ":" + uri.getPort()
                : RedisSocket.SCHEME + "://" + uri.getSocket();
    }

    private static LettuceTransport lent(RedisClient client, @Nullable RedisURI uri, String address) {
        return connect(client, new LettuceConnector(client, uri, address), LentCluster.ENDED_BY_LETTUCE, () -> {});
    }

    private static LettuceTransport connect(
            RedisClient client, LettuceConnector connector, Duration timeout, Runnable afterClose) {
        try {
            return new LettuceTransport(client, new Bootstrap(client, connector).connect(timeout), afterClose);
        } catch (RuntimeException e) {
            afterClose.run();
            throw e;
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        EvalCommand command = new EvalCommand(call, servers, Way.CALLERS);
        command.send();
        return command;
    }

    /** {@inheritDoc} On a cluster that is one flush for each node, and none waits for another. */
    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<EvalCommand> commands = new ArrayList<>(calls.size());
        Map<LettuceNode, List<EvalCommand>> byNode = new LinkedHashMap<>();
        long longest = 0;
        for (ScriptCall call : calls) {
            EvalCommand command = new EvalCommand(call, servers, Way.LANE);
            commands.add(command);
            byNode.computeIfAbsent(command.node(), node -> new ArrayList<>()).add(command);
            longest = Math.max(longest, call.timeoutNanos());
        }
        for (Map.Entry<LettuceNode, List<EvalCommand>> each : byNode.entrySet()) {
            each.getKey().link(Way.LANE).send(each.getValue(), longest);
        }
        return List.copyOf(commands);
    }

    /**
     * {@inheritDoc}
     *
     * <p>On a cluster each node has a connection for this, and each waits for its own replicas. A call that was sent to the
     * wrong node fails with MOVED, ASK or the like; it has not run.
     */
    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        Map<LettuceNode, SentCommand<Long>> waits = new LinkedHashMap<>();
        Map<LettuceNode, List<SentCommand<?>>> byNode = new LinkedHashMap<>();
        List<DurableReply> replies = new ArrayList<>(calls.size());
        long longest = 0;
        for (ScriptCall call : calls) {
            LettuceNode node = servers.nodeOf(call);
            DurableEval command = new DurableEval(call, servers, node);
            SentCommand<Long> wait =
                    waits.computeIfAbsent(node, to -> DurableWait.of(onDisk, replicas, withinMillis, to.address()));
            byNode.computeIfAbsent(node, to -> new ArrayList<>()).add(command);
            replies.add(new DurableReply(command, wait));
            longest = Math.max(longest, call.timeoutNanos());
        }
        for (Map.Entry<LettuceNode, SentCommand<Long>> each : waits.entrySet()) {
            LettuceNode node = each.getKey();
            List<SentCommand<?>> commands = byNode.getOrDefault(node, new ArrayList<>());
            commands.add(each.getValue());
            node.link(Way.DURABLE).send(commands, longest);
        }
        return List.copyOf(replies);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        ShardChannels<LettuceNode, Endpoint> shards = servers.shardChannels();
        return shards != null && channel.indexOf('{') >= 0
                ? shards.subscribe(channel, listener)
                : subscriptions.subscribe(channel, listener);
    }

    @Override
    public String shardOf(String key) {
        ShardChannels<LettuceNode, Endpoint> shards = servers.shardChannels();
        return shards == null ? "" : shards.tagFor(key);
    }

    /**
     * {@inheritDoc}
     *
     * <p>One after another over one connection for each node, which is opened for the first.
     */
    @Override
    public CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
        LettuceNode node = servers.nodeOf(dialogue.key());
        return node.converse(dialogue, error -> {
            // So that the next goes to the right one.
            Servers.@Nullable Detour unused = servers.redirect(error, node);
        });
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        Set<Capability> capabilities = EnumSet.of(Capability.WAITS_FOR_REPLICAS, Capability.CONVERSES);
        if (servers.standalone()) {
            capabilities.add(Capability.COUNTS_RECEIVERS);
            capabilities.add(Capability.CALLS_ACROSS_SLOTS);
        }
        if (servers.shardChannels() != null) {
            capabilities.add(Capability.SHARDED_PUBSUB);
        }
        if (!client.getOptions().isAutoReconnect()) {
            capabilities.add(Capability.AT_MOST_ONCE);
        }
        return servers.describe(capabilities);
    }

    /**
     * {@inheritDoc}
     *
     * <p>It runs on the connection that all callers share, so it must neither block nor change the connection's state.
     */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        Servers server = node == null ? servers : servers.find(node);
        return server != null
                ? server.command(args)
                : CompletableFuture.failedFuture(
                        new IllegalArgumentException(node + " is not a server of this transport; see describe()"));
    }

    /** {@inheritDoc} Does not wait for that. Calls in flight and later ones fail. Idempotent. */
    @Override
    public void close() {
        String reason = "the transport was closed";
        CompletionStage<Void> connections = CompletableFuture.allOf(
                servers.close(reason).toCompletableFuture(),
                subscriptions.close(reason).toCompletableFuture());
        connections.whenComplete((nothing, failure) -> afterClose.run());
    }

    @Override
    public String toString() {
        return "LettuceTransport[" + servers.address() + "]";
    }
}
