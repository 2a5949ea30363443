package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.DialoguePath;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Dialogues over blocking connections, each on its caller's own thread and over a connection of its own. */
final class BlockingDialogues implements DialoguePath {

    private final ConnectionPool pool;

    BlockingDialogues(ConnectionPool pool) {
        this.pool = pool;
    }

    @Override
    public CompletionStage<@Nullable Void> hold(Dialogue dialogue, Consumer<String> onError) {
        try {
            exchange(dialogue, onError, pool.deadline(dialogue.timeoutNanos()));
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void exchange(Dialogue dialogue, Consumer<String> onError, long deadline) {
        RedisConnection connection = pool.borrow(deadline);
        boolean sound = false;
        boolean lost = false;
        try {
            List<List<String>> flush = dialogue.next(List.of());
            boolean primary = true;
            while (!flush.isEmpty()) {
                List<@Nullable Object> replies = replies(connection, flush, deadline);
                primary &= replies.stream().noneMatch(FormerPrimary::said);
                replies.stream()
                        .filter(RedisErrorException.class::isInstance)
                        .findFirst()
                        .ifPresent(error -> onError.accept(String.valueOf(((RedisErrorException) error).getMessage())));
                flush = dialogue.next(replies);
            }
            sound = primary;
        } catch (TransportException e) {
            lost = e.maybeExecuted() && pool.left(deadline) > 0;
            throw e;
        } finally {
            if (!sound) {
                connection.abandon();
            }
            pool.giveBack(connection, lost);
        }
    }

    private List<@Nullable Object> replies(RedisConnection connection, List<List<String>> flush, long deadline) {
        long left = pool.timeToSend(deadline);
        List<@Nullable Object> replies = new ArrayList<>(flush.size());
        List<RedisCommand> commands = new ArrayList<>(flush.size());
        flush.forEach(words -> commands.add(new Question(words, replies)));
        connection.send(commands, left);
        for (Object reply : replies) {
            if (reply instanceof TransportException failure) {
                throw failure;
            }
        }
        return replies;
    }

    @Override
    public void restart(String reason) {
        pool.restart();
    }

    @Override
    public void close(String reason) {
        pool.close(reason);
    }

    /** One command of a flush, which adds its reply or failure to those before. */
    private record Question(List<String> words, List<@Nullable Object> replies) implements RedisCommand {

        @Override
        public void answered(@Nullable Object reply) {
            replies.add(reply);
        }

        @Override
        public void failed(RuntimeException failure) {
            replies.add(failure);
        }
    }
}
