package dev.leasehold.lettuce;

import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Dialogues with one server, one at a time, over one connection. A dialogue stays on the connection on which it began; if it
 * does not come to its end there, that connection is closed, and the next begins on another.
 */
final class DialogueQueue {

    private final LettuceLink<StatefulRedisConnection<String, String>> link;
    private final Function<List<String>, SentCommand<@Nullable Object>> commands;
    private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger work = new AtomicInteger();
    private final AtomicReference<@Nullable Turn> current = new AtomicReference<>();

    /**
     * Opens nothing yet.
     *
     * @param link over which nothing else goes
     * @param commands makes a command, unsent
     */
    DialogueQueue(
            LettuceLink<StatefulRedisConnection<String, String>> link,
            Function<List<String>, SentCommand<@Nullable Object>> commands) {
        this.link = link;
        this.commands = commands;
    }

    /**
     * Holds a dialogue when its turn comes.
     *
     * @param onError told of the first error of each flush
     */
    CompletionStage<@Nullable Void> hold(Dialogue dialogue, Consumer<String> onError) {
        link.ensureBegun();
        Turn turn = new Turn(dialogue, onError);
        turn.watch();
        waiting.add(turn);
        wake();
        return turn.result;
    }

    private void wake() {
        if (work.getAndIncrement() == 0) {
            int seen = work.get();
            do {
                Turn next = next();
                while (next != null) {
                    current.set(next);
                    next.begin();
                    next = next();
                }
                seen = work.addAndGet(-seen);
            } while (seen != 0);
        }
    }

    private @Nullable Turn next() {
        return current.get() == null ? waiting.poll() : null;
    }

    private TransportException failure(String what, boolean maybeExecuted) {
        return new TransportException(what + " at " + link.address(), maybeExecuted, null);
    }

    /** One dialogue, from its wish to its end. */
    private final class Turn {
        private final Dialogue dialogue;
        private final Consumer<String> onError;
        private final CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable LettuceSession<StatefulRedisConnection<String, String>> session;
        private volatile @Nullable Future<?> timer;

        Turn(Dialogue dialogue, Consumer<String> onError) {
            this.dialogue = dialogue;
            this.onError = onError;
        }

        void watch() {
            timer = link.schedule(
                    () -> giveUp(failure("no answer within the time of a dialogue with Redis", session != null)),
                    Math.max(TimeUnit.MILLISECONDS.toNanos(1), dialogue.timeoutNanos()));
            CompletionStage<?> unused = result.whenComplete((nothing, failure) -> {
                if (result.isCancelled()) {
                    giveUp(failure("a dialogue was given up with Redis", true));
                }
            });
        }

        void begin() {
            if (over.get()) {
                // Given up while it waited.
                current.compareAndSet(this, null);
                return;
            }
            LettuceSession<StatefulRedisConnection<String, String>> chosen = link.session();
            chosen.opened().whenComplete((connection, failure) -> {
                if (failure != null) {
                    end(Failures.of(failure, false, link.address()));
                } else if (!over.get()) {
                    session = chosen;
                    send(chosen, connection, dialogue.next(List.of()));
                }
            });
        }

        private void send(
                LettuceSession<StatefulRedisConnection<String, String>> way,
                StatefulRedisConnection<String, String> connection,
                List<List<String>> texts) {
            if (texts.isEmpty()) {
                end(null);
                return;
            }
            List<SentCommand<@Nullable Object>> flush =
                    texts.stream().map(commands).toList();
            AtomicInteger missing = new AtomicInteger(flush.size());
            for (SentCommand<@Nullable Object> command : flush) {
                CompletionStage<?> unused = command.whenComplete((reply, failure) -> {
                    if (missing.decrementAndGet() == 0) {
                        answered(way, connection, flush);
                    }
                });
            }
            way.dispatch(connection, flush);
        }

        private void answered(
                LettuceSession<StatefulRedisConnection<String, String>> way,
                StatefulRedisConnection<String, String> connection,
                List<SentCommand<@Nullable Object>> flush) {
            if (over.get()) {
                return;
            }
            try {
                List<@Nullable Object> replies = new ArrayList<>();
                String firstError = null;
                for (SentCommand<@Nullable Object> command : flush) {
                    Object reply = reply(command);
                    replies.add(reply);
                    if (firstError == null && reply instanceof RedisErrorException error) {
                        firstError = String.valueOf(error.getMessage());
                    }
                }
                if (firstError != null) {
                    onError.accept(firstError);
                }
                send(way, connection, dialogue.next(replies));
            } catch (RuntimeException e) {
                giveUp(Failures.of(e, true, link.address()));
            }
        }

        /** An error of Redis is a reply; anything else says that there is none. */
        private @Nullable Object reply(SentCommand<@Nullable Object> command) {
            try {
                return command.join();
            } catch (RuntimeException e) {
                RuntimeException failure = Failures.of(e, true, link.address());
                if (failure instanceof RedisErrorException) {
                    return failure;
                }
                throw failure;
            }
        }

        /** Its leftovers on the connection must not reach other commands. */
        private void giveUp(RuntimeException reason) {
            LettuceSession<StatefulRedisConnection<String, String>> used = session;
            if (!over.get() && used != null) {
                link.replace(used, "a dialogue did not come to its end");
            }
            end(reason);
        }

        private void end(@Nullable RuntimeException failure) {
            if (!over.compareAndSet(false, true)) {
                return;
            }
            Future<?> watching = timer;
            if (watching != null) {
                watching.cancel(false);
            }
            if (current.compareAndSet(this, null)) {
                wake();
            }
            if (failure == null) {
                result.complete(null);
            } else {
                result.completeExceptionally(failure);
            }
        }
    }
}
