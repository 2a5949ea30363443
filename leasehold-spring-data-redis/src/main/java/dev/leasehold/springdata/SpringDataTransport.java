package dev.leasehold.springdata;

import dev.leasehold.internal.adapter.PubSubConnection;
import dev.leasehold.internal.adapter.PubSubConnector;
import dev.leasehold.internal.adapter.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
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
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/**
 * Leasehold over Spring Data Redis 3.5 or later, by the settings of the connection factory that the application has. Safe
 * for use by any thread.
 *
 * <p><b>What is lent.</b> A {@code LettuceConnectionFactory} for one server, Sentinel or a cluster, or a
 * {@code JedisConnectionFactory} for one server or Sentinel. Leasehold reads from it where the servers are and how to
 * connect, and opens connections of its own, apart from the factory's own connection and its pool: so neither waits for
 * the other, and none of Leasehold's commands is repeated where the factory's would be. With Lettuce they run on the
 * threads of the factory's client. The factory is never changed, started or closed; if the application closes it, that
 * comes after Leasehold.
 *
 * <p><b>Threads.</b> What a caller waits for is sent and answered on the caller's own thread, over a connection that no
 * other caller uses meanwhile. Renewals and other batches use a separate thread and connection, in one flush;
 * subscriptions, too. Both threads are daemons and begin when they are needed.
 *
 * <p><b>Connections.</b> One for each thread that calls at the same time, 16 at the most, beyond which callers wait for
 * one another within their time; one for batches; one for subscriptions. In a cluster each of these is one to every node
 * that it has to do with. A connection that breaks is opened again when it is next needed; that for subscriptions at
 * once, and if that fails, with growing pauses of up to 1 s. Opening one over Jedis may take as long as the factory's
 * connect timeout.
 *
 * <p><b>At most once.</b> Outside of a cluster no command is sent twice, nor kept for a later connection, and
 * {@link #describe()} says so. In a cluster Lettuce may send again what was waiting for a node that has left; the locks
 * allow for that, with one more field in Redis for each release whose acquire was repeated. What is in flight when a
 * connection breaks fails with {@link TransportException}, which says that it may have been executed. What finds no
 * connection fails with the statement that it was not.
 *
 * <p><b>Silence.</b> A caller's connection that gives no answer within the caller's time is closed. That for batches is
 * closed after 400 ms without an answer, after less but no less than 150 ms if no caller waits for so long, and after
 * ever longer silence as long as that does not help: what was in flight fails as perhaps executed, and the next batch
 * goes over a new connection. In a cluster a node that is silent so delays what goes to the others in the same batch.
 *
 * <p><b>Clusters.</b> Scripts go to the node that has their key. Wake-ups go by ordinary channels, which a cluster
 * carries to all its nodes; channels of a shard are a thing of {@code leasehold-lettuce}.
 */
public final class SpringDataTransport implements RedisTransport {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private static final Set<Capability> OF_ONE_SERVER =
            Set.of(Capability.AT_MOST_ONCE, Capability.COUNTS_RECEIVERS, Capability.CALLS_ACROSS_SLOTS);

    private final Wires wires;
    private final TimeSource time;
    private final Pool pool;
    private final BatchThread lane;
    private final Subscriptions subscriptions;

    private SpringDataTransport(Wires wires) {
        this.wires = wires;
        time = TimeSource.system();
        pool = new Pool(wires, time);
        lane = new BatchThread(wires, time);
        subscriptions = new Subscriptions(
                "leasehold-spring-data-subscriptions", connector(wires), CONNECT_TIMEOUT.toNanos(), null);
    }

    private static PubSubConnector connector(Wires wires) {
        return new PubSubConnector() {
            @Override
            public String address() {
                return wires.address();
            }

            @Override
            public PubSubConnection open(long timeoutNanos) {
                return wires.openPubSub(timeoutNanos);
            }
        };
    }

    /**
     * Connects to where a factory leads, by its settings: servers, user, password, database, TLS, client name.
     *
     * @param factory a {@code LettuceConnectionFactory} that was started, or a {@code JedisConnectionFactory}
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if it is another factory; one of Lettuce's that was not started, or that leads to a
     *     fixed list of primary and replicas; one of Jedis' for a cluster; or one for a single server that turns out to be
     *     a node of a cluster
     */
    public static SpringDataTransport over(RedisConnectionFactory factory) {
        SpringDataTransport transport = new SpringDataTransport(Factories.wires(factory, TimeSource.system()));
        try {
            transport.refuseNodeOfCluster();
            return transport;
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /**
     * Connects by the connection factory of a template, {@code StringRedisTemplate} or any other, else as
     * {@link #over(RedisConnectionFactory)}. The template's serializers are not used: keys and values of locks are plain
     * UTF-8.
     *
     * @param template which has its connection factory
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     * @throws IllegalArgumentException if the template has no connection factory, or one that is refused
     */
    public static SpringDataTransport over(RedisTemplate<?, ?> template) {
        RedisConnectionFactory factory = template.getConnectionFactory();
        if (factory == null) {
            throw new IllegalArgumentException(
                    "The given template has no connection factory: call setConnectionFactory() before it is passed to Leasehold");
        }
        return over(factory);
    }

    private void refuseNodeOfCluster() {
        if (wires.isCluster()) {
            return;
        }
        Info info;
        try {
            info = exchange(CONNECT_TIMEOUT.toNanos(), talk -> Info.of(talk.ask(Info.REQUEST)));
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
        if (info.isOfCluster()) {
            throw new IllegalArgumentException("Redis at " + wires.address() + " is a node of a Redis Cluster, and the "
                    + "given factory takes it for a single server: pass a LettuceConnectionFactory that is made of a "
                    + "RedisClusterConfiguration");
        }
    }

    /** {@inheritDoc} It is answered when this returns, which takes no longer than the call's timeout. */
    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return stage(call.timeoutNanos(), talk -> talk.eval(call));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return lane.send(calls);
    }

    /** {@inheritDoc} Listeners run on the thread for subscriptions with Jedis, and on an I/O thread with Lettuce. */
    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return stage(COMMAND_TIMEOUT.toNanos(), talk -> {
            Info info = Info.of(talk.ask(Info.REQUEST));
            if (wires.isCluster()) {
                return new ServerDescription(info.version(), wires.nodes(COMMAND_TIMEOUT.toNanos()), Set.of());
            }
            RedisNode server = server(talk);
            return new ServerDescription(
                    info.version(),
                    List.of(new RedisNode(server.host(), server.port(), info.isPrimary())),
                    OF_ONE_SERVER);
        });
    }

    private RedisNode server(CommandExchange talk) {
        RedisNode known = wires.server();
        if (known != null) {
            return known;
        }
        try {
            return Info.ownAddress(talk.ask(Info.CLIENT_REQUEST));
        } catch (RedisErrorException e) {
            // The user may not, or the server is older than 6.2.
            return Info.ownAddress(null);
        }
    }

    /** {@inheritDoc} It is answered when this returns. */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return stage(COMMAND_TIMEOUT.toNanos(), talk -> {
            Request request = Request.of(args);
            if (node == null) {
                return talk.ask(request);
            }
            if (wires.isCluster()) {
                return talk.with(node).ask(request);
            }
            RedisNode here = server(talk);
            if (!node.host().equals(here.host()) || node.port() != here.port()) {
                throw new IllegalArgumentException(node + " is not a server of this transport; see describe()");
            }
            return talk.ask(request);
        });
    }

    private <T extends @Nullable Object> CompletionStage<T> stage(
            long timeoutNanos, Function<CommandExchange, T> exchange) {
        try {
            return CompletableFuture.completedFuture(exchange(timeoutNanos, exchange));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T extends @Nullable Object> T exchange(long timeoutNanos, Function<CommandExchange, T> exchange) {
        long until = time.nanoTime() + timeoutNanos;
        Wire wire = pool.borrow(timeoutNanos);
        boolean othersToo = false;
        try {
            return exchange.apply(new CommandExchange(wire, wires.address(), time, until));
        } catch (TransportException e) {
            othersToo = !wire.isOpen() && !Failures.isTimeout(e);
            throw e;
        } finally {
            pool.giveBack(wire, othersToo);
        }
    }

    /**
     * {@inheritDoc} Later calls fail, and so does what has not been sent. What has been sent over Jedis is still answered,
     * or fails at its timeout; over Lettuce it fails as perhaps executed. The factory stays as it is. Idempotent.
     */
    @Override
    public void close() {
        pool.close();
        lane.close();
        subscriptions.close();
        wires.close();
    }

    @Override
    public String toString() {
        return "SpringDataTransport[" + wires.address() + "]";
    }
}
