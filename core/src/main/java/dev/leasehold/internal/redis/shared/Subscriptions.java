package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions over one connection that is opened at the first: all of a client, or all to channels of one shard. Each
 * new connection subscribes to every channel again.
 *
 * <p>The lock puts the SUBSCRIBE and UNSUBSCRIBE of a channel in the order in which its listeners come and go. Neither
 * listeners nor callers' stages run under it.
 */
public final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();
    private final SharedPath path;
    private final Kind kind;
    private volatile Consumer<String> onGone = channel -> {};

    private final AtomicBoolean leavesRefused = new AtomicBoolean();

    /** The current subscriber; guarded by the lock. */
    private @Nullable SharedConnection live;

    /** By which commands a channel is subscribed to. */
    public enum Kind {
        /** Messages reach subscribers on every node of a cluster. */
        PLAIN(""),
        /** The channel has a slot, as a key has one, and is known on the nodes of that slot's shard only. */
        OF_SHARD("S");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }

        TextCommand subscribe(String channel) {
            return new TextCommand(List.of(prefix + "SUBSCRIBE", channel));
        }

        TextCommand unsubscribe(String channel) {
            return new TextCommand(List.of(prefix + "UNSUBSCRIBE", channel));
        }
    }

    /** Opens nothing yet. */
    public Subscriptions(ServerRoute route, Kind kind, long connectTimeoutNanos, Scheduler scheduler) {
        this.kind = kind;
        path = new SharedPath(route, ConnectionPurpose.SUBSCRIPTIONS, connectTimeoutNanos, scheduler, new Pushes());
    }

    /** Sets what is called for each channel of a shard whose subscription the server has ended. */
    public void onGone(Consumer<String> action) {
        onGone = action;
    }

    /** Reopens the connection, if it is open. */
    public void abandon() {
        path.abandon("its server is in trouble");
    }

    /** Reopens the connection, even if it is only being opened: it is to lead elsewhere. */
    public void restart(String reason) {
        path.restart(reason);
    }

    /** Subscribes a listener; see {@link dev.leasehold.spi.RedisTransport#subscribe}. */
    public CompletionStage<AutoCloseable> subscribe(String name, ChannelListener listener) {
        Subscription subscription;
        Runnable ask = () -> {};
        lock.lock();
        try {
            Channel channel = channels.get(name);
            if (channel == null) {
                channel = new Channel(name);
                channels.put(name, channel);
                ask = ask(channel);
            }
            subscription = new Subscription(channel, listener);
            channel.subscriptions.add(subscription);
        } finally {
            lock.unlock();
        }
        ask.run();
        CompletionStage<RedisConnection> unused = path.open();
        failIfUnreachable(subscription.channel);
        subscription.awaitConfirmation();
        return subscription;
    }

    /** Sends SUBSCRIBE if there is a connection; the returned task awaits the answer, and must run outside the lock. */
    private Runnable ask(Channel channel) {
        SharedConnection connection = live;
        TextCommand command = kind.subscribe(channel.name);
        if (connection == null || !send(connection, command)) {
            return () -> {};
        }
        channel.request = command;
        return () -> {
            CompletionStage<?> unused =
                    command.whenComplete((nothing, failure) -> answered(connection, channel, failure));
        };
    }

    private static boolean send(SharedConnection connection, TextCommand command) {
        RedisConnection open = connection.ifOpen();
        if (open == null) {
            return false;
        }
        connection.send(open, List.of(command), 0);
        return true;
    }

    private void opened(SharedConnection connection) {
        List<Runnable> asks = new ArrayList<>();
        lock.lock();
        try {
            if (!path.isCurrent(connection)) {
                // It broke meanwhile, and its successor may have been here before.
                return;
            }
            live = connection;
            channels.values().forEach(channel -> asks.add(ask(channel)));
        } finally {
            lock.unlock();
        }
        asks.forEach(Runnable::run);
    }

    private void answered(SharedConnection connection, Channel channel, @Nullable Throwable failure) {
        if (failure == null) {
            if (!channel.confirmed.complete(null)) {
                tell(channel, ChannelListener::resubscribed);
            }
            return;
        }
        RuntimeException reason = Failures.of(failure, true, path.address());
        if (!(reason instanceof RedisErrorException)) {
            path.replace(connection, "it did not confirm a subscription");
            failIfUnreachable(channel);
        } else if (channel.confirmed.isDone() && kind == Kind.OF_SHARD) {
            gone(channel.name);
        } else if (channel.confirmed.isDone() && Failures.isMissingRight(reason)) {
            LOG.warn("Redis at {} refused to renew a subscription", path.address(), reason);
        } else if (channel.confirmed.isDone()) {
            LOG.debug("Redis at {} cannot renew a subscription now, and is asked again", path.address(), reason);
            Future<?> unused = path.schedule(() -> askAgain(connection, channel), ASK_AGAIN_NANOS);
        } else {
            drop(channel, reason);
        }
    }

    /** Redis may be loading or busy: until it confirms the subscription, its listener misses messages. */
    private void askAgain(SharedConnection connection, Channel channel) {
        Runnable ask = () -> {};
        lock.lock();
        try {
            if (live == connection && channels.get(channel.name) == channel) {
                ask = ask(channel);
            }
        } finally {
            lock.unlock();
        }
        ask.run();
    }

    /** A channel that was never confirmed does not wait longer than the attempt to connect. */
    private void failIfUnreachable(Channel channel) {
        CompletionStage<?> unused = path.connection().opened().whenComplete((connection, failure) -> {
            if (failure != null && !channel.confirmed.isDone()) {
                drop(channel, failure);
            }
        });
    }

    private void drop(Channel channel, Throwable failure) {
        lock.lock();
        try {
            channels.remove(channel.name, channel);
        } finally {
            lock.unlock();
        }
        channel.confirmed.completeExceptionally(failure);
    }

    /** Handles an unsubscription by the server: a local one removes the channel from the map first. */
    private void gone(String name) {
        Channel channel;
        lock.lock();
        try {
            channel = channels.remove(name);
        } finally {
            lock.unlock();
        }
        if (channel != null) {
            onGone.accept(name);
        }
    }

    private static void tell(Channel channel, Consumer<ChannelListener> what) {
        for (Subscription subscription : channel.subscriptions) {
            try {
                what.accept(subscription.listener);
            } catch (RuntimeException e) {
                LOG.warn("A listener of a Redis channel failed", e);
            }
        }
    }

    private void remove(Subscription subscription) {
        Channel channel = subscription.channel;
        TextCommand command = kind.unsubscribe(channel.name);
        boolean sent = false;
        lock.lock();
        try {
            channel.subscriptions.remove(subscription);
            if (channel.subscriptions.isEmpty() && channels.remove(channel.name, channel) && live != null) {
                sent = send(live, command);
            }
        } finally {
            lock.unlock();
        }
        if (sent) {
            CompletionStage<?> unused = command.whenComplete((nothing, failure) -> unsubscribed(failure));
        }
    }

    /** If Redis refuses it, the channel stays subscribed until the connection ends, and nothing else shows it. */
    private void unsubscribed(@Nullable Throwable failure) {
        if (failure != null && Failures.isMissingRight(failure) && !leavesRefused.getAndSet(true)) {
            LOG.warn(
                    "Redis at {} does not let this client's user end subscriptions, which pile up. Grant the user"
                            + " +unsubscribe, in a cluster +sunsubscribe, as docs/operations.md says: {}",
                    path.address(),
                    failure.getMessage());
        }
    }

    private void suspectConnection(Channel channel) {
        SharedConnection connection = path.connection();
        TextCommand request = channel.request;
        if (!channel.confirmed.isDone() && request != null && connection.ifOpen() != null) {
            connection.unanswered(request);
        }
    }

    /** Ends the connection and opens no other. */
    public void close(String reason) {
        path.close(reason);
    }

    /** Hands over what the connection receives. */
    private final class Pushes implements SharedPath.Events {

        @Override
        public void opened(SharedConnection connection) {
            Subscriptions.this.opened(connection);
        }

        @Override
        public void message(String name, String message) {
            Channel channel = channels.get(name);
            if (channel != null) {
                tell(channel, listener -> listener.message(message));
            }
        }

        @Override
        public boolean needsConnection() {
            return !channels.isEmpty();
        }

        @Override
        public void unsubscribed(String name) {
            if (kind == Kind.OF_SHARD) {
                gone(name);
            }
        }
    }

    /** A channel with its listeners. */
    private static final class Channel {
        final String name;
        final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
        final CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();
        volatile @Nullable TextCommand request;

        Channel(String name) {
            this.name = name;
        }
    }

    /** The stage that a subscriber gets and, once confirmed, what ends the subscription. */
    private final class Subscription extends CompletableFuture<AutoCloseable> implements AutoCloseable {
        final Channel channel;
        final ChannelListener listener;

        Subscription(Channel channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        void awaitConfirmation() {
            CompletionStage<@Nullable Void> unused = channel.confirmed.whenComplete((nothing, failure) -> {
                if (failure == null) {
                    complete(this);
                } else {
                    completeExceptionally(failure);
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                suspectConnection(channel);
                close();
            }
            return cancelled;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
