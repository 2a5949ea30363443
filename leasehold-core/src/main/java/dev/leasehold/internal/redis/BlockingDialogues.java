package dev.leasehold.internal.redis;

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
final class BlockingDialogues {

    private final ConnectionPool pool;

    BlockingDialogues(ConnectionPool pool) {
        this.pool = pool;
    }

    /**
     * Runs a dialogue. If it does not come to its end, its connection is never used again.
     *
     * @param onError told of the first error among the replies, which may say that the key is elsewhere
     * @return a stage that is complete
     */
    CompletionStage<@Nullable Void> hold(Dialogue dialogue, Consumer<RedisErrorException> onError) {
        long deadline = pool.deadline(dialogue.timeoutNanos());
        try {
            RedisErrorException first = exchange(dialogue, deadline);
            if (first != null) {
                onError.accept(first);
            }
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable RedisErrorException exchange(Dialogue dialogue, long deadline) {
        RedisConnection connection = pool.borrow(deadline);
        Errors errors = new Errors();
        boolean ended = false;
        try {
            List<List<String>> flush = dialogue.next(List.of());
            while (!flush.isEmpty()) {
                List<@Nullable Object> replies = replies(connection, flush, deadline);
                replies.forEach(errors::note);
                flush = dialogue.next(replies);
            }
            ended = true;
            return errors.first;
        } finally {
            boolean lost = !connection.isOpen() && pool.left(deadline) > 0;
            if (!ended || errors.ofFormerPrimary) {
                connection.abandon();
            }
            pool.giveBack(connection, lost);
        }
    }

    private List<@Nullable Object> replies(RedisConnection connection, List<List<String>> flush, long deadline) {
        long left = pool.left(deadline);
        if (left <= 0) {
            throw new TransportException(
                    "no time was left to send a command to Redis at " + pool.address(), false, null);
        }
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

    /** The errors among the replies of a dialogue. */
    private static final class Errors {
        private @Nullable RedisErrorException first;
        private boolean ofFormerPrimary;

        void note(@Nullable Object reply) {
            if (reply instanceof RedisErrorException error) {
                first = first == null ? error : first;
                ofFormerPrimary |= FormerPrimary.said(error);
            }
        }
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
