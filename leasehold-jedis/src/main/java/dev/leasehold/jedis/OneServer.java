package dev.leasehold.jedis;

import dev.leasehold.internal.adapter.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A transport to one server. */
final class OneServer implements RedisTransport {

    private final Connections connections;
    private final CallerExchanges callers;
    private final long commandTimeoutNanos;
    private final BatchThread lane;
    private final Subscriptions subscriptions;

    OneServer(Connections connections, TimeSource time, Duration connectTimeout, Duration commandTimeout) {
        this.connections = connections;
        callers = new CallerExchanges(connections, time);
        commandTimeoutNanos = commandTimeout.toNanos();
        lane = new BatchThread(connections, time, Redirects.NONE);
        subscriptions =
                JedisPubSubConnection.subscriptions(connections, connectTimeout.toNanos(), ChannelKind.PLAIN, null);
    }

    /** Reads the server's INFO; empty if INFO is forbidden, which the preflight reports. */
    String info(Duration timeout) {
        return Info.text(callers, timeout.toNanos());
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return CallerExchanges.stage(() -> callers.run(call.timeoutNanos(), talk -> talk.eval(call, false)));
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        return List.copyOf(lane.send(calls));
    }

    @Override
    public CompletionStage<@Nullable Void> converse(Dialogue dialogue) {
        return CallerExchanges.stage(() -> callers.run(dialogue.timeoutNanos(), talk -> {
            RedisErrorException unused = talk.converse(dialogue);
            return null;
        }));
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return CallerExchanges.stage(() -> callers.run(
                commandTimeoutNanos,
                talk -> Info.of(Replies.nested(talk.ask(Info.COMMAND)))
                        .describe(
                                node(talk),
                                Set.of(
                                        Capability.CONVERSES,
                                        Capability.AT_MOST_ONCE,
                                        Capability.COUNTS_RECEIVERS,
                                        Capability.CALLS_ACROSS_SLOTS))));
    }

    private RedisNode node(CommandExchange talk) {
        RedisNode known = connections.node();
        return known == null ? Info.ownAddress(talk) : known;
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return CallerExchanges.stage(() -> callers.run(commandTimeoutNanos, talk -> {
            if (node != null) {
                RedisNode here = node(talk);
                if (!node.host().equals(here.host()) || node.port() != here.port()) {
                    throw new IllegalArgumentException(node + " is not a server of this transport; see describe()");
                }
            }
            return Replies.nested(talk.ask(Commands.of(args)));
        }));
    }

    @Override
    public void close() {
        connections.close();
        lane.close();
        subscriptions.close();
    }

    @Override
    public String toString() {
        return connections.address();
    }
}
