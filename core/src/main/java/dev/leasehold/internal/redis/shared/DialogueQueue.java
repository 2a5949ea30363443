package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.internal.redis.path.DialoguePath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
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
import org.jspecify.annotations.Nullable;

/** Dialogues over one multiplexed connection, one at a time. */
final class DialogueQueue implements DialoguePath {

    private final SharedPath path;
    private final Queue<Turn> waiting = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::beginTurns);
    private final AtomicReference<@Nullable Turn> current = new AtomicReference<>();

    /**
     * Opens nothing yet.
     *
     * @param path over which nothing else is sent
     */
    DialogueQueue(SharedPath path) {
        this.path = path;
    }

    @Override
    public CompletionStage<@Nullable Void> hold(Dialogue dialogue, Consumer<String> onError) {
        CompletionStage<RedisConnection> unused = path.open();
        Turn turn = new Turn(dialogue, onError);
        turn.watch();
        waiting.add(turn);
        wake();
        return turn.result;
    }

    @Override
    public void restart(String reason) {
        path.restart(reason);
    }

    @Override
    public void close(String reason) {
        path.close(reason);
    }

    private void wake() {
        loop.signal(Runnable::run);
    }

    private void beginTurns() {
        for (Turn next = next(); next != null; next = next()) {
            current.set(next);
            next.begin();
        }
    }

    private @Nullable Turn next() {
        return current.get() == null ? waiting.poll() : null;
    }

    private TransportException failure(String what, boolean maybeExecuted) {
        return new TransportException(what + " at " + path.address(), maybeExecuted, null);
    }

    /** One dialogue, from the request to its end. */
    private final class Turn {
        private final Dialogue dialogue;
        private final Consumer<String> onError;
        private final CompletableFuture<@Nullable Void> result = new CompletableFuture<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable SharedConnection connection;
        private volatile @Nullable Future<?> timer;

        Turn(Dialogue dialogue, Consumer<String> onError) {
            this.dialogue = dialogue;
            this.onError = onError;
        }

        void watch() {
            timer = path.schedule(
                    () -> giveUp(failure("no answer within the time of a dialogue with Redis", connection != null)),
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
            SharedConnection chosen = path.connection();
            CompletionStage<?> unused = chosen.opened().whenComplete((open, failure) -> {
                if (failure != null) {
                    end(Failures.of(failure, false, path.address()));
                } else if (!over.get()) {
                    connection = chosen;
                    send(chosen, open, dialogue.next(List.of()));
                }
            });
        }

        private void send(SharedConnection way, RedisConnection open, List<List<String>> texts) {
            if (texts.isEmpty()) {
                end(null);
                return;
            }
            List<TextCommand> flush = texts.stream().map(TextCommand::new).toList();
            AtomicInteger missing = new AtomicInteger(flush.size());
            for (TextCommand command : flush) {
                CompletionStage<?> unused = command.whenComplete((reply, failure) -> {
                    if (missing.decrementAndGet() == 0) {
                        answered(way, open, flush);
                    }
                });
            }
            way.send(open, flush, dialogue.timeoutNanos());
        }

        private void answered(SharedConnection way, RedisConnection open, List<TextCommand> flush) {
            if (over.get()) {
                return;
            }
            try {
                List<@Nullable Object> replies = new ArrayList<>();
                String firstError = null;
                for (TextCommand command : flush) {
                    Object reply = reply(command);
                    replies.add(reply);
                    if (firstError == null && reply instanceof RedisErrorException error) {
                        firstError = String.valueOf(error.getMessage());
                    }
                }
                if (firstError != null) {
                    onError.accept(firstError);
                }
                send(way, open, dialogue.next(replies));
            } catch (RuntimeException e) {
                giveUp(Failures.of(e, true, path.address()));
            }
        }

        /** An error of Redis is a reply; anything else says that there is none. */
        private @Nullable Object reply(TextCommand command) {
            try {
                return command.join();
            } catch (RuntimeException e) {
                RuntimeException failure = Failures.of(e, true, path.address());
                if (failure instanceof RedisErrorException) {
                    return failure;
                }
                throw failure;
            }
        }

        /** What the dialogue has left on the connection must not affect other commands. */
        private void giveUp(RuntimeException reason) {
            SharedConnection used = connection;
            if (!over.get() && used != null) {
                path.replace(used, "a dialogue did not come to its end");
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
