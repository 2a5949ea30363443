package dev.leasehold.lettuce;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.util.concurrent.EventExecutorGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leasehold over Lettuce, for one Redis or Valkey server. Safe for use by any thread.
 *
 * <p><b>Connections.</b> Three at most: one for what callers wait for and for inspection, one for renewals and whatever
 * else is sent in batches, and one for subscriptions, which is opened at the first. Each is opened again when it breaks,
 * at first after about 10 ms, then with growing pauses of up to 1 s.
 *
 * <p><b>At most once.</b> No command is sent twice, nor kept for a later connection. What is in flight when a connection
 * breaks fails at once with {@link TransportException}, which says that it may have been executed. What meets no open
 * connection waits for the one that is being opened, at most its time-out, and if that fails, fails with the statement
 * that it was not executed. That holds for a lent client too, whatever its options: a connection opened here is closed
 * as soon as it is disconnected, before Lettuce reconnects it. Since that client could still be told to behave
 * otherwise, {@link #describe()} reports {@link Capability#AT_MOST_ONCE} only if its automatic reconnection is off.
 *
 * <p><b>Silence.</b> There is no time-out here: the caller has one, and cancels the stage's future. A connection on
 * which nothing has arrived between sending and cancelling is replaced, provided that it was silent for 150 ms; other
 * commands in flight on it fail. So the next attempt goes over a new connection, when a firewall has swallowed the old.
 *
 * <p>Stages complete on Lettuce's I/O threads: what depends on them must not block.
 */
public final class LettuceTransport implements RedisTransport {

    /** Commands for inspection have no time-out of their own: the attempt to connect ends before. */
    private static final long UNTIL_CONNECTED = TimeUnit.DAYS.toNanos(1);

    private final RedisClient client;
    private final LettuceConnector connector;
    private final LettuceLink<StatefulRedisConnection<String, String>> callers;
    private final LettuceLink<StatefulRedisConnection<String, String>> lane;
    private final LettuceSubscriptions subscriptions;
    private final Runnable afterClose;

    private LettuceTransport(RedisClient client, LettuceConnector connector, Runnable afterClose) {
        this.client = client;
        this.connector = connector;
        this.afterClose = afterClose;
        EventExecutorGroup executors = client.getResources().eventExecutorGroup();
        String address = connector.address();
        callers = new LettuceLink<>(address, connector::connect, executors, (session, connection) -> {});
        lane = new LettuceLink<>(address, connector::connect, executors, (session, connection) -> {});
        subscriptions = new LettuceSubscriptions(connector, executors);
    }

    /**
     * Connects with a Lettuce client of its own, which ends with the transport. It has four daemon threads and a timer.
     * Certificates and host names of {@code rediss} servers are verified.
     *
     * @param settings where and how
     * @return the transport, connected
     * @throws TransportException if there is no connection within the connect time-out
     * @throws RedisErrorException if the server refuses, for example the password ({@code WRONGPASS}, {@code NOAUTH})
     * @throws IllegalArgumentException if the URI names no host, a user without a password, or a database that is not a
     *     number
     */
    public static LettuceTransport create(ConnectionSettings settings) {
        OwnedClient owned = new OwnedClient(settings);
        LettuceConnector connector =
                new LettuceConnector(owned.client(), OwnedClient.uri(settings), settings.address());
        return new LettuceTransport(owned.client(), connector, owned::close).connected(settings.connectTimeout());
    }

    /**
     * Connects over a client that the application has, to the server of the client's own URI. The client stays open when
     * the transport is closed, and its options, resources and listeners apply to the connections.
     *
     * @param client a client made with a URI
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static LettuceTransport over(RedisClient client) {
        return lent(client, null, "the lent client's own address");
    }

    /**
     * Connects over a client that the application has, to a server of choice; else as {@link #over(RedisClient)}.
     *
     * @param client a client
     * @param uri the server
     * @return the transport, connected
     * @throws TransportException if the server cannot be reached
     * @throws RedisErrorException if the server refuses, for example the password
     */
    public static LettuceTransport over(RedisClient client, RedisURI uri) {
        return lent(client, uri, uri.getHost() + ":" + uri.getPort());
    }

    private static LettuceTransport lent(RedisClient client, @Nullable RedisURI uri, String address) {
        LettuceConnector connector = new LettuceConnector(client, uri, address);
        // Lettuce ends each attempt itself, by the time-outs of the client's options and of the URI.
        return new LettuceTransport(client, connector, () -> {}).connected(Duration.ofDays(1));
    }

    private LettuceTransport connected(Duration timeout) {
        CompletableFuture<?> both = CompletableFuture.allOf(
                callers.open().toCompletableFuture(), lane.open().toCompletableFuture());
        try {
            both.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            return this;
        } catch (ExecutionException e) {
            close();
            throw Failures.of(e, false, connector.address());
        } catch (TimeoutException e) {
            close();
            // A server without TLS waits for the end of what it takes for a command, and so do we for its answer.
            String hint = connector.address().startsWith("rediss:") ? "; does it speak TLS there?" : "";
            throw new TransportException(
                    "no connection to Redis at " + connector.address() + " within " + timeout.toMillis() + " ms" + hint,
                    false,
                    e);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while connecting to " + connector.address(), false, e);
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        EvalCommand command = new EvalCommand(call, callers);
        callers.send(command, call.timeoutNanos());
        return command;
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<EvalCommand> commands = new ArrayList<>(calls.size());
        long longest = 0;
        for (ScriptCall call : calls) {
            commands.add(new EvalCommand(call, lane));
            longest = Math.max(longest, call.timeoutNanos());
        }
        if (!commands.isEmpty()) {
            lane.send(commands, longest);
        }
        return List.copyOf(commands);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, Consumer<String> listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        Set<Capability> capabilities =
                client.getOptions().isAutoReconnect() ? Set.of() : Set.of(Capability.AT_MOST_ONCE);
        SentCommand<ServerDescription> command = new SentCommand<>(
                CommandType.INFO,
                new DescriptionOutput(connector::node, capabilities),
                SentCommand.args(),
                connector.address());
        callers.send(command, UNTIL_CONNECTED);
        return command;
    }

    /**
     * {@inheritDoc}
     *
     * <p>It runs on the connection that all callers share, so it must neither block nor change the connection's state.
     */
    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        if (node != null && !connector.node(node.primary()).equals(node)) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException(node + " is not the server of this transport; see describe()"));
        }
        CommandArgs<String, String> rest = SentCommand.args();
        args.subList(1, args.size()).forEach(rest::add);
        SentCommand<@Nullable Object> command =
                new SentCommand<>(new Name(args.get(0)), new ReplyOutput(), rest, connector.address());
        callers.send(command, UNTIL_CONNECTED);
        return command;
    }

    /** {@inheritDoc} Does not wait for that. Calls in flight and later ones fail. Idempotent. */
    @Override
    public void close() {
        String reason = "the transport was closed";
        CompletionStage<Void> connections = CompletableFuture.allOf(
                callers.close(reason).toCompletableFuture(),
                lane.close(reason).toCompletableFuture(),
                subscriptions.close(reason).toCompletableFuture());
        connections.whenComplete((nothing, failure) -> afterClose.run());
    }

    @Override
    public String toString() {
        return "LettuceTransport[" + connector.address() + "]";
    }

    /** The name of any command. */
    private record Name(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.toUpperCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text.toUpperCase(Locale.ROOT);
        }
    }
}
