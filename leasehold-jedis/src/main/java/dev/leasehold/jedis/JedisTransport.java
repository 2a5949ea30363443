package dev.leasehold.jedis;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ConnectionProvider;

/**
 * Leasehold over Jedis 5.2 or later, for one Redis or Valkey server, or the primary that sentinels name. Safe for use by any thread.
 *
 * <p><b>Threads.</b> What a caller waits for is sent and answered on the caller's own thread, over a connection that
 * nobody else uses meanwhile. Renewals and whatever else is sent in batches go by a thread and a connection of their own,
 * in one flush; subscriptions, too. Both threads are daemons and begin when they are needed.
 *
 * <p><b>Connections.</b> One for each thread that calls at the same time, 16 at the most, beyond which callers wait for
 * one another within their time; one for batches; one for subscriptions. A connection that breaks is opened again when it
 * is next needed; that for subscriptions at once, and if that fails, with growing pauses of up to 1 s.
 *
 * <p><b>Sentinel.</b> With a {@code redis-sentinel} URI a thread asks the sentinels every second who the primary is, one after
 * another until most of them say the same, and at once when it cannot be connected to. When it is another, all connections to
 * the last are cut, though it may still answer.
 *
 * <p><b>At most once.</b> No command is sent twice, nor kept for a later connection; with a lent client neither, for its
 * connections are used and not its own attempts to repeat. What is in flight when a connection breaks fails with
 * {@link TransportException}, which says that it may have been executed. What finds no connection fails with the
 * statement that it was not.
 *
 * <p><b>Silence.</b> A caller's connection that gives no answer within the caller's time is closed. That for batches is
 * closed after 400 ms without an answer, after less but no less than 150 ms if nobody waits for so long, and after ever
 * longer silence as long as that does not help: what was in flight fails as perhaps executed, and the next batch goes over
 * a new connection.
 */
public final class JedisTransport implements RedisTransport {

    private static final Duration CONNECT_TIMEOUT_OF_LENT = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT_OF_LENT = Duration.ofSeconds(2);

    private final Connections connections;
    private final TimeSource time;
    private final long commandTimeoutNanos;
    private final Lane lane;
    private final Subscriptions subscriptions;

    private JedisTransport(Connections connections, Duration connectTimeout, Duration commandTimeout) {
        this.connections = connections;
        time = TimeSource.system();
        commandTimeoutNanos = commandTimeout.toNanos();
        lane = new Lane(connections, time);
        subscriptions = new Subscriptions(connections, connectTimeout.toNanos());
    }

    /**
     * Connects with connections of its own, which end with the transport. Certificates and host names of {@code rediss}
     * servers are verified.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect time-out
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number; or sentinels without the name of a primary; or if the server is a node of a Redis Cluster
     */
    public static JedisTransport create(ConnectionSettings settings) {
        Connections owned = RedisSentinels.areNamedIn(settings.uri())
                ? new SentinelConnections(settings, TimeSource.system())
                : new OwnedConnections(settings, TimeSource.system());
        return connected(
                new JedisTransport(owned, settings.connectTimeout(), settings.commandTimeout()),
                settings.connectTimeout());
    }

    /**
     * Connects over a client that the application has, to its server: {@code JedisPooled}, {@code RedisClient} of Jedis 7
     * and later, {@code JedisSentineled}, or any other that has a pool for one server. The client's settings apply to the
     * connections, which are taken from its pool. Two are kept while they are needed, so the pool must have three or more,
     * and better two more than before. Callers wait for one within their own time, whatever the pool's {@code maxWait}
     * says, but where the pool has to open one, as long as the client's connect time-out; a Sentinel's client does not show
     * its pool, whose {@code maxWait} must be finite. What breaks goes back to the pool on a short-lived thread of its own,
     * since the pool may connect anew in its place. The client stays open when the transport is closed; if the client is
     * closed, too, that comes after the transport.
     *
     * @param client a client of one server
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the client has no pool or one of less than three connections, or leads to more
     *     than one primary, as {@code JedisCluster} does
     */
    public static JedisTransport over(UnifiedJedis client) {
        return over(LentConnections.providerOf(client));
    }

    /**
     * Connects over the connections of a client that the application has; else as {@link #over(UnifiedJedis)}.
     *
     * @param provider of connections to one server
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if it has a pool of less than three connections, or leads to more than one primary
     */
    public static JedisTransport over(ConnectionProvider provider) {
        LentConnections lent = new LentConnections(provider, TimeSource.system());
        return connected(
                new JedisTransport(lent, CONNECT_TIMEOUT_OF_LENT, COMMAND_TIMEOUT_OF_LENT), CONNECT_TIMEOUT_OF_LENT);
    }

    private static JedisTransport connected(JedisTransport transport, Duration timeout) {
        try {
            transport.refuseCluster(timeout);
            return transport;
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    private void refuseCluster(Duration timeout) {
        String info;
        try {
            info = exchange(timeout.toNanos(), talk -> String.valueOf(Replies.nested(talk.ask(Info.COMMAND))));
        } catch (RedisErrorException e) {
            if (!e.code().equals("NOPERM")) {
                throw e;
            }
            // Of this the preflight tells.
            return;
        } catch (TransportException e) {
            // Whatever it was, nothing of the application's was sent.
            throw new TransportException(String.valueOf(e.getMessage()), false, e.getCause());
        }
        if (info.contains("cluster_enabled:1")) {
            throw new IllegalArgumentException("Redis at " + connections.address() + " is a node of a Redis Cluster, "
                    + "which leasehold-jedis does not serve: use leasehold-lettuce");
        }
    }

    /** {@inheritDoc} It is answered when this returns, which takes no longer than the call's time-out. */
    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return stage(call.timeoutNanos(), talk -> talk.eval(call));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return lane.send(calls);
    }

    /** {@inheritDoc} Listeners run on the one thread for subscriptions. */
    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return stage(
                commandTimeoutNanos,
                talk -> Info.of(Replies.nested(talk.ask(Info.COMMAND)))
                        .describe(
                                node(talk),
                                Set.of(
                                        Capability.AT_MOST_ONCE,
                                        Capability.COUNTS_RECEIVERS,
                                        Capability.CALLS_ACROSS_SLOTS)));
    }

    private RedisNode node(Talk talk) {
        RedisNode known = connections.node();
        return known == null ? Info.ownAddress(talk) : known;
    }

    /** {@inheritDoc} It is answered when this returns. */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return stage(commandTimeoutNanos, talk -> {
            if (node != null) {
                RedisNode here = node(talk);
                if (!node.host().equals(here.host()) || node.port() != here.port()) {
                    throw new IllegalArgumentException(node + " is not a server of this transport; see describe()");
                }
            }
            return Replies.nested(talk.ask(Commands.of(args)));
        });
    }

    private <T extends @Nullable Object> CompletionStage<T> stage(long timeoutNanos, Function<Talk, T> exchange) {
        try {
            return CompletableFuture.completedFuture(exchange(timeoutNanos, exchange));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T extends @Nullable Object> T exchange(long timeoutNanos, Function<Talk, T> exchange) {
        long until = time.nanoTime() + timeoutNanos;
        Connection connection = connections.borrow(timeoutNanos);
        int timeoutBefore = connection.getSoTimeout();
        boolean sound = false;
        boolean othersToo = false;
        try {
            T answer = exchange.apply(new Talk(connection, connections.address(), time, until));
            sound = true;
            return answer;
        } catch (RedisErrorException | IllegalArgumentException e) {
            sound = true;
            throw e;
        } catch (TransportException e) {
            othersToo = !Failures.isTimeout(e);
            throw e;
        } finally {
            if (!sound) {
                connection.setBroken();
            }
            giveBack(connection, timeoutBefore, othersToo);
        }
    }

    private void giveBack(Connection connection, int timeoutBefore, boolean othersToo) {
        try {
            if (!connection.isBroken()) {
                connection.setSoTimeout(timeoutBefore);
            }
        } catch (JedisException e) {
            connection.setBroken();
        }
        connections.giveBack(connection, othersToo);
    }

    /**
     * {@inheritDoc} Later calls fail, and so does what has not been sent. What has been sent is still answered, or fails at
     * its time-out. Idempotent.
     */
    @Override
    public void close() {
        connections.close();
        lane.close();
        subscriptions.close();
    }

    @Override
    public String toString() {
        return "JedisTransport[" + connections.address() + "]";
    }
}
