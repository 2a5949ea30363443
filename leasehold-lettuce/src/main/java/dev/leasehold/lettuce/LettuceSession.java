package dev.leasehold.lettuce;

import dev.leasehold.spi.TransportException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection of a link, from the attempt to open it to its end. It ends with the first disconnection, whatever
 * the options of a lent client say: Lettuce replays what a closed connection left only on that same connection object,
 * and that is closed before Lettuce begins to reconnect.
 */
final class LettuceSession<C extends StatefulRedisConnection<String, String>> {

    private final LettuceLink<C> link;
    private final CompletableFuture<C> opened = new CompletableFuture<>();
    /** The number of replies and messages that have arrived. */
    private final AtomicLong arrivals = new AtomicLong();

    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile @Nullable C connection;
    private volatile boolean ended;

    LettuceSession(LettuceLink<C> link) {
        this.link = link;
    }

    /** Completed when the connection is open, and exceptionally when this attempt failed. */
    CompletionStage<C> opened() {
        return opened;
    }

    /** There is no connection, and will be none in this session. */
    void fail(RuntimeException failure) {
        opened.completeExceptionally(failure);
    }

    /** The connection if it is open, else null. */
    @Nullable
    C connection() {
        C open = connection;
        return open != null && open.isOpen() && !ended ? open : null;
    }

    /** Returns whether it was open and is no longer. */
    boolean hasBroken() {
        return opened.isDone() && !opened.isCompletedExceptionally() && connection() == null;
    }

    /** Takes the connection that was made for this session, and shows it to {@code first} before all others. */
    void open(C made, BiConsumer<LettuceSession<C>, C> first) {
        connection = made;
        made.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
                broke();
            }
        });
        if (!made.isOpen()) {
            broke();
        }
        if (ended) {
            end();
        } else {
            first.accept(this, made);
        }
        opened.complete(made);
    }

    /** Hands a command to Lettuce. */
    void dispatch(C over, SentCommand<?> command) {
        command.sentOver(this, arrivals.get(), link.nanoTime());
        over.dispatch(command);
        if (ended) {
            failLeftBehind(command);
        }
    }

    /** Hands several commands to Lettuce, which flushes once. */
    void dispatch(C over, Collection<? extends SentCommand<?>> commands) {
        long before = arrivals.get();
        long now = link.nanoTime();
        commands.forEach(command -> command.sentOver(this, before, now));
        over.dispatch(commands);
        if (ended) {
            commands.forEach(this::failLeftBehind);
        }
    }

    /** Lettuce may have buffered the command after the buffer was drained, and would then never complete it. */
    private void failLeftBehind(SentCommand<?> command) {
        command.completeExceptionally(
                new TransportException("the connection to Redis at " + link.address() + " was closed", true, null));
    }

    /** It is of no use any more. */
    void broke() {
        link.replace(this, "it broke");
    }

    /** A reply or message has arrived. */
    void arrived() {
        arrivals.incrementAndGet();
    }

    long arrivals() {
        return arrivals.get();
    }

    /**
     * Called when a caller has stopped waiting for an answer. A connection on which nothing has arrived since the
     * request is replaced, but never before it has been silent for {@link LettuceLink#SILENCE_NANOS}: callers that are
     * interrupted, or hardly wait at all, are no evidence, and closing fails the commands of all others.
     */
    void doubt(long arrivalsBefore, long sentAt, BooleanSupplier written) {
        if (arrivals.get() != arrivalsBefore || ended) {
            return;
        }
        Runnable judge = () -> {
            if (arrivals.get() == arrivalsBefore && written.getAsBoolean()) {
                link.replace(this, "it did not answer");
            }
        };
        long due = sentAt + LettuceLink.SILENCE_NANOS - link.nanoTime();
        if (due <= 0) {
            judge.run();
        } else {
            Future<?> unused = link.schedule(judge, due);
        }
    }

    /** Closes the connection, upon which commands in flight fail. */
    CompletionStage<Void> end() {
        ended = true;
        C open = connection;
        if (open != null && closing.compareAndSet(false, true)) {
            return open.closeAsync();
        }
        return CompletableFuture.completedFuture(null);
    }
}
