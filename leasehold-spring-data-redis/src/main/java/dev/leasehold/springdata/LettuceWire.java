package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection of Lettuce's, to one server or to all nodes of a cluster. */
final class LettuceWire implements Wire {

    private final StatefulConnection<String, String> connection;
    private final String address;
    private final TimeSource time;
    private volatile boolean closed;

    LettuceWire(StatefulConnection<String, String> connection, String address, TimeSource time) {
        this.connection = connection;
        this.address = address;
        this.time = time;
    }

    @Override
    public boolean isOpen() {
        return !closed && connection.isOpen();
    }

    @Override
    public List<Answer> exchange(List<Request> requests, long nanos) {
        long until = time.nanoTime() + nanos;
        List<AsyncCommand<String, String, @Nullable Object>> sent =
                requests.stream().map(LettuceWire::command).toList();
        TransportException failure = send(sent);
        List<Answer> answers = new ArrayList<>(sent.size());
        for (AsyncCommand<String, String, @Nullable Object> command : sent) {
            answers.add(failure == null ? await(command, until) : Answer.failed(failure));
        }
        if (answers.stream().anyMatch(answer -> answer.failure() instanceof TransportException)) {
            close();
        }
        return answers;
    }

    private @Nullable TransportException send(List<AsyncCommand<String, String, @Nullable Object>> commands) {
        if (!isOpen()) {
            return Failures.closed(address);
        }
        try {
            if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
            return null;
        } catch (RuntimeException e) {
            return Failures.unanswered(e, address);
        }
    }

    private Answer await(AsyncCommand<String, String, @Nullable Object> command, long until) {
        try {
            return Answer.of(AnswerWait.untilAnswered(command, until - time.nanoTime()));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return Answer.failed(
                    cause instanceof RedisCommandExecutionException
                            ? Failures.refusal(cause)
                            : Failures.unanswered(cause, address));
        } catch (CancellationException | TimeoutException e) {
            return Answer.failed(Failures.unanswered(e, address));
        }
    }

    private static AsyncCommand<String, String, @Nullable Object> command(Request request) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        request.head().forEach(args::add);
        args.addKeys(request.keys());
        request.tail().forEach(args::add);
        return new AsyncCommand<>(new Command<>(new Name(request.name()), new ReplyOutput(), args));
    }

    @Override
    public Wire to(RedisNode node, long nanos) {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            try {
                return new LettuceWire(
                        AnswerWait.untilAnswered(cluster.getConnectionAsync(node.host(), node.port()), nanos),
                        address,
                        time);
            } catch (ExecutionException | TimeoutException | RuntimeException e) {
                throw Failures.unsent(e, RedisCommandExecutionException.class, node.toString());
            }
        }
        throw new IllegalArgumentException(node + " is not a server of this transport; see describe()");
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<Void> unused = connection.closeAsync();
    }

    private record Name(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
