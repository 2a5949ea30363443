package dev.leasehold.jedis;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisSocket;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Leasehold over Jedis 5.2 or later, for one Redis or Valkey server, the primary that sentinels name, or a cluster.
 * Safe for use by any thread.
 *
 * <p><b>Threads.</b> What a caller waits for is sent and answered on the caller's own thread, over a connection that no
 * other caller uses meanwhile. Renewals and other batches use a separate thread and connection, in one flush;
 * subscriptions, too. Both threads are daemons and begin when they are needed.
 *
 * <p><b>Connections.</b> One for each thread that calls at the same time, 16 at the most, beyond which callers wait for
 * one another within their time; one for batches; one for subscriptions. A connection that breaks is opened again when it
 * is next needed; that for subscriptions at once, and if that fails, with growing pauses of up to 1 s.
 *
 * <p><b>Sentinel.</b> With the URI of Sentinels a thread asks the Sentinels for the primary every second, one after
 * another until most of them say the same, and at once when it cannot be connected to. When it is another, all
 * connections to the last are cut, though it may still answer.
 *
 * <p><b>Cluster.</b> A server that turns out to be a node of a cluster leads to the others. Each primary has its own
 * connections for callers, and its own thread and connection for batches, when they are first needed, and the same for
 * the channels of its shard, if the servers have such; for plain subscriptions there is one in all. Calls go to the
 * primary of their key's slot and follow MOVED and ASK. The owners of the slots are queried, by another thread, every
 * 30 s, and as soon as a node redirects or does not answer, at most once a second. A node that does not answer holds up
 * nothing but its own calls.
 *
 * <p><b>At most once.</b> No command is sent twice, nor kept for a later connection; with a lent client neither, for its
 * connections are used and not its own attempts to repeat. What is in flight when a connection breaks fails with
 * {@link TransportException}, which says that it may have been executed. What finds no connection fails with the
 * statement that it was not.
 *
 * <p><b>Silence.</b> A caller's connection that gives no answer within the caller's time is closed. That for batches is
 * closed after 400 ms without an answer, after less but no less than 150 ms if no caller waits for so long, and after
 * ever longer silence as long as that does not help: what was in flight fails as perhaps executed, and the next batch
 * goes over a new connection.
 */
public final class JedisTransport implements RedisTransport {

    private static final Duration CONNECT_TIMEOUT_OF_LENT = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT_OF_LENT = Duration.ofSeconds(2);

    private final RedisTransport servers;

    private JedisTransport(RedisTransport servers) {
        this.servers = servers;
    }

    /**
     * Connects with connections of its own, which end with the transport. {@code redis-sentinel} leads to the primary that
     * the sentinels name, and so does {@code rediss-sentinel}, where sentinels and servers speak TLS. Sentinels have a user and
     * a password of their own ({@code &sentinelUser=...&sentinelPassword=...}), or none. Certificates and host names are
     * verified.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect timeout
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number; or sentinels without the name of a primary; or a Unix socket
     */
    public static JedisTransport create(ConnectionSettings settings) {
        if (RedisSocket.isNamedIn(settings.uri())) {
            throw new IllegalArgumentException(
                    "leasehold-jedis has no Unix sockets, for the JDK has none that Jedis could use: "
                            + "connect to redis://host:port, use leasehold-lettuce, or pass a client whose JedisSocketFactory makes "
                            + "such sockets (JedisTransport.over)");
        }
        TimeSource time = TimeSource.system();
        if (RedisSentinels.areNamedIn(settings.uri())) {
            return connected(
                    new SentinelConnections(settings, time),
                    null,
                    time,
                    settings.connectTimeout(),
                    settings.commandTimeout());
        }
        return connected(
                new OwnedConnections(settings, time),
                new ClusterNodes.Owned(settings, time),
                time,
                settings.connectTimeout(),
                settings.commandTimeout());
    }

    /**
     * Connects over a client that the application has: {@code JedisPooled}, {@code RedisClient} of Jedis 7 and later,
     * {@code JedisSentineled}, or any other that has a pool for one server, to that server; {@code JedisCluster} or
     * {@code RedisClusterClient}, which has a pool for each node, to the cluster. The client's settings apply to the
     * connections, which are taken from its pool. Two are kept while they are needed, so the pool must have three or
     * more, and better two more than before; in a cluster up to three of each pool, so it must have four or more.
     * Callers wait for one within their own time, whatever the pool's {@code maxWait} says, but where the pool has to
     * open one, as long as the client's connect timeout; a Sentinel's client does not show its pool, whose
     * {@code maxWait} must be finite. A broken connection is returned to the pool on a short-lived thread, since the
     * pool may reconnect in its place. The client stays open when the transport is closed; if the client is closed,
     * too, that comes after the transport.
     *
     * @param client a client of one server or of a cluster
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached, or no node of the cluster
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the client has no pool or one of too few connections, leads to more than one
     *     primary and is none of a cluster, or is one of a single server that turns out to be a node of a cluster
     */
    public static JedisTransport over(UnifiedJedis client) {
        return over(LentConnections.providerOf(client));
    }

    /**
     * Connects over the connections of a client that the application has; else as {@link #over(UnifiedJedis)}.
     *
     * @param provider of connections to one server or, if it is a {@code ClusterConnectionProvider}, to a cluster
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached, or no node of the cluster
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if it has a pool of too few connections, leads to more than one primary and is none
     *     of a cluster, or is one of a single server that turns out to be a node of a cluster
     */
    public static JedisTransport over(ConnectionProvider provider) {
        TimeSource time = TimeSource.system();
        return provider instanceof ClusterConnectionProvider cluster
                ? new JedisTransport(ClusterTransport.connect(
                        new LentCluster(cluster, time), time, CONNECT_TIMEOUT_OF_LENT, COMMAND_TIMEOUT_OF_LENT))
                : connected(
                        new LentConnections(provider, time),
                        null,
                        time,
                        CONNECT_TIMEOUT_OF_LENT,
                        COMMAND_TIMEOUT_OF_LENT);
    }

    /**
     * Looks at the first server.
     *
     * @param cluster how to reach the nodes of its cluster, if it is of one; null if that is not known
     */
    private static JedisTransport connected(
            Connections first,
            ClusterNodes.@Nullable Source cluster,
            TimeSource time,
            Duration connectTimeout,
            Duration commandTimeout) {
        OneServer server = new OneServer(first, time, connectTimeout, commandTimeout);
        try {
            if (!server.info(connectTimeout).contains("cluster_enabled:1")) {
                return new JedisTransport(server);
            }
            if (cluster == null) {
                throw new IllegalArgumentException("Redis at " + first.address() + " is a node of a Redis Cluster, and "
                        + "the given client knows this node only: pass a JedisCluster or RedisClusterClient, or connect "
                        + "by URI");
            }
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        server.close();
        return new JedisTransport(ClusterTransport.connect(cluster, time, connectTimeout, commandTimeout));
    }

    /** {@inheritDoc} It is answered when this returns, which takes no longer than the call's timeout. */
    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return servers.eval(call);
    }

    /** {@inheritDoc} On a cluster that is one flush for each node, and none waits for another. */
    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return servers.evalBatch(calls);
    }

    /** {@inheritDoc} It has ended when this returns, which takes no longer than the dialogue's time. */
    @Override
    public CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
        return servers.converse(dialogue);
    }

    /** {@inheritDoc} Listeners run on the one thread for subscriptions, on a cluster on one for each node. */
    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return servers.subscribe(channel, listener);
    }

    @Override
    public String shardOf(String key) {
        return servers.shardOf(key);
    }

    /** {@inheritDoc} It is answered when this returns. */
    @Override
    public CompletionStage<ServerDescription> describe() {
        return servers.describe();
    }

    /** {@inheritDoc} It is answered when this returns. */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return servers.command(node, args);
    }

    /**
     * {@inheritDoc} Later calls fail, and so does what has not been sent. What has been sent is still answered, or fails at
     * its timeout. Idempotent.
     */
    @Override
    public void close() {
        servers.close();
    }

    @Override
    public String toString() {
        return "JedisTransport[" + servers + "]";
    }
}
