package dev.leasehold.lettuce;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutorGroup;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server with the connections to it. Each is opened at its first use, and nothing here is shared with another
 * server, so that one which does not answer holds up nothing but its own calls. One server alone is a topology, too.
 */
final class LettuceNode implements Servers {

    /** Commands for inspection have no timeout of their own: the attempt to connect ends before. */
    private static final long UNTIL_CONNECTED = TimeUnit.DAYS.toNanos(1);

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String SWITCHED = "another server is the primary";

    private final LettuceConnector connector;
    private final LettuceLink<StatefulRedisConnection<String, String>> callers;
    private final LettuceLink<StatefulRedisConnection<String, String>> lane;
    private final LettuceLink<StatefulRedisConnection<String, String>> durable;
    private final LettuceLink<StatefulRedisConnection<String, String>> dialogues;
    private final DialogueQueue line;
    private final LettuceSubscriptions ofShard;
    private final AtomicLong lastSwitch;
    private volatile Consumer<LettuceNode> onTrouble = node -> {};
    private volatile Runnable onSwitch = () -> {};

    /** The purpose of a connection. */
    enum Way {
        /** For what callers wait for, and for inspection. */
        CALLERS,
        /** For renewals and whatever else is sent in batches. */
        LANE,
        /** For what replicas are to have, too: it waits for them. */
        DURABLE
    }

    LettuceNode(LettuceConnector connector, EventExecutorGroup executors) {
        this.connector = connector;
        callers = link(executors);
        lane = link(executors);
        durable = link(executors);
        dialogues = link(executors);
        line = new DialogueQueue(dialogues, args -> unsent(new Spoken(args.get(0)), new ReplyOutput(), args));
        ofShard = new LettuceSubscriptions(this, executors, ChannelKind.OF_SHARD);
        lastSwitch = new AtomicLong(callers.nanoTime() - INTERVAL_NANOS);
        connector.onSwitch(this::restart);
    }

    private void restart() {
        lastSwitch.set(callers.nanoTime());
        callers.restart(SWITCHED);
        lane.restart(SWITCHED);
        durable.restart(SWITCHED);
        dialogues.restart(SWITCHED);
        onSwitch.run();
    }

    @Override
    public void onSwitch(Runnable action) {
        onSwitch = action;
    }

    /**
     * A server that takes no writes was a primary once: behind its name, or for the sentinels, there may be another by
     * now. If there is none, the client does not try to connect for every call.
     */
    @Override
    public @Nullable Detour redirect(String error, LettuceNode by) {
        long last = lastSwitch.get();
        long now = callers.nanoTime();
        if ((error.startsWith("READONLY") || error.startsWith("MASTERDOWN"))
                && now - last >= INTERVAL_NANOS
                && lastSwitch.compareAndSet(last, now)) {
            restart();
        }
        return null;
    }

    private LettuceLink<StatefulRedisConnection<String, String>> link(EventExecutorGroup executors) {
        AtomicBoolean again = new AtomicBoolean();
        return new LettuceLink<>(
                connector.address(),
                () -> {
                    if (again.getAndSet(true)) {
                        onTrouble.accept(this);
                    }
                    return connector.connect();
                },
                executors,
                (session, connection) -> {});
    }

    /** Sets what is called each time before a connection is opened again. */
    void onTrouble(Consumer<LettuceNode> action) {
        onTrouble = action;
    }

    /** Sets the callback for each channel whose slot moves to another node. */
    void onGone(Consumer<String> action) {
        ofShard.onGone(action);
    }

    /** Subscribes to a channel of this node's shard, over a connection kept for these. */
    CompletionStage<AutoCloseable> subscribeOnShard(String channel, ChannelListener listener) {
        return ofShard.subscribe(channel, listener);
    }

    /** Reopens the connection for channels of its shard, if it is open. */
    void abandonSubscriptions() {
        ofShard.abandon();
    }

    Endpoint endpoint() {
        return connector.endpoint();
    }

    String host() {
        return endpoint().host();
    }

    LettuceLink<StatefulRedisConnection<String, String>> link(Way way) {
        LettuceLink<StatefulRedisConnection<String, String>> link = switch (way) {
            case CALLERS -> callers;
            case LANE -> lane;
            case DURABLE -> durable;
        };
        link.ensureBegun();
        return link;
    }

    /** Opens the connections now that every client needs. */
    CompletableFuture<Void> open() {
        return CompletableFuture.allOf(
                callers.open().toCompletableFuture(), lane.open().toCompletableFuture());
    }

    boolean isConnected() {
        return lane.isConnected() || callers.isConnected();
    }

    /** Reads the server's INFO; empty if INFO is forbidden, which the preflight reports. */
    CompletionStage<String> info() {
        return command(List.of("INFO")).handle((info, failure) -> {
            if (failure != null && !(failure instanceof RedisErrorException)) {
                throw Failures.of(failure, false, address());
            }
            return failure == null ? String.valueOf(info) : "";
        });
    }

    @Override
    public CompletionStage<@Nullable Object> command(List<String> args) {
        return send(Way.CALLERS, UNTIL_CONNECTED, new ReplyOutput(), args);
    }

    <T extends @Nullable Object> SentCommand<T> send(
            Way way, long timeoutNanos, CommandOutput<String, String, T> output, List<String> args) {
        SentCommand<T> command = unsent(new Name(args.get(0)), output, args);
        link(way).send(command, timeoutNanos);
        return command;
    }

    private <T extends @Nullable Object> SentCommand<T> unsent(
            ProtocolKeyword name, CommandOutput<String, String, T> output, List<String> args) {
        CommandArgs<String, String> rest = SentCommand.args();
        args.subList(1, args.size()).forEach(rest::add);
        return new SentCommand<>(name, output, rest, address());
    }

    /** Runs a dialogue over a dedicated connection; errors update the topology. */
    CompletionStage<@Nullable Void> converse(Dialogue dialogue, Consumer<String> onError) {
        return line.hold(dialogue, onError);
    }

    @Override
    public String address() {
        return connector.address();
    }

    @Override
    public LettuceNode nodeOf(ScriptCall call) {
        return this;
    }

    @Override
    public LettuceNode nodeOf(String key) {
        return this;
    }

    @Override
    public @Nullable LettuceNode find(RedisNode node) {
        return connector.node(node.primary()).equals(node) ? this : null;
    }

    @Override
    public CompletionStage<ServerDescription> describe(Set<Capability> capabilities) {
        return send(
                Way.CALLERS,
                UNTIL_CONNECTED,
                new DescriptionOutput(connector::node, capabilities),
                List.of(CommandType.INFO.name()));
    }

    @Override
    public boolean standalone() {
        return true;
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub(Runnable abandon) {
        return connector.connectPubSub();
    }

    @Override
    public CompletionStage<Void> close(String reason) {
        return CompletableFuture.allOf(
                callers.close(reason).toCompletableFuture(),
                lane.close(reason).toCompletableFuture(),
                durable.close(reason).toCompletableFuture(),
                dialogues.close(reason).toCompletableFuture(),
                ofShard.close(reason).toCompletableFuture(),
                connector.close(reason).toCompletableFuture());
    }

    @Override
    public String toString() {
        return address();
    }

    /** The name of any command. */
    record Name(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return toString().getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text.toUpperCase(Locale.ROOT);
        }
    }

    /**
     * The same within a dialogue. Lettuce looks for MULTI and EXEC by what this is as text, and would answer the commands
     * between them in a way of its own: it shall not find them.
     */
    private record Spoken(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text.toLowerCase(Locale.ROOT);
        }
    }
}
