package dev.leasehold.lettuce;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscriptions over one connection that is opened at the first: all of a transport, or all to channels of one shard. Each
 * new connection subscribes to every channel again.
 *
 * <p>The lock puts the SUBSCRIBE and UNSUBSCRIBE of a channel in the order in which its listeners come and go. Neither
 * listeners nor callers' stages run under it.
 */
final class LettuceSubscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(LettuceSubscriptions.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();
    private final LettuceLink<StatefulRedisPubSubConnection<String, String>> link;
    private final ChannelKind kind;
    private volatile Consumer<String> onGone = channel -> {};

    /** The current subscriber; guarded by the lock. */
    private @Nullable LettuceSession<StatefulRedisPubSubConnection<String, String>> live;

    LettuceSubscriptions(Servers servers, EventExecutorGroup executors, ChannelKind kind) {
        this.kind = kind;
        link = new LettuceLink<>(
                servers.address(), () -> servers.connectPubSub(this::abandon), executors, this::onOpen);
    }

    /** Sets what is told of each channel of a shard that the server does not keep any more. */
    void onGone(Consumer<String> action) {
        onGone = action;
    }

    /** Reopens the connection, if it is open. */
    void abandon() {
        link.abandon("its server is in trouble");
    }

    /** The same, also if it is only being opened: it is to lead elsewhere. */
    void restart() {
        link.restart("another server is the primary");
    }

    CompletionStage<AutoCloseable> subscribe(String name, ChannelListener listener) {
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
        link.open();
        failIfUnreachable(subscription.channel);
        subscription.awaitConfirmation();
        return subscription;
    }

    /** Sends SUBSCRIBE if there is a connection; what is returned awaits the answer, and must run outside the lock. */
    private Runnable ask(Channel channel) {
        LettuceSession<StatefulRedisPubSubConnection<String, String>> session = live;
        StatefulRedisPubSubConnection<String, String> connection = session == null ? null : session.connection();
        if (session == null || connection == null) {
            return () -> {};
        }
        channel.arrivalsBefore = session.arrivals();
        channel.askedAt = link.nanoTime();
        CompletionStage<Void> answer = kind.subscribe(connection, channel.name);
        return () -> answer.whenComplete((nothing, failure) -> answered(session, channel, failure));
    }

    private void onOpen(
            LettuceSession<StatefulRedisPubSubConnection<String, String>> session,
            StatefulRedisPubSubConnection<String, String> connection) {
        connection.addListener(new RedisPubSubAdapter<String, String>() {
            @Override
            public void message(String name, String message) {
                session.arrived();
                deliver(name, message);
            }

            @Override
            public void smessage(String name, String message) {
                message(name, message);
            }

            @Override
            public void sunsubscribed(String name, long count) {
                gone(name);
            }
        });
        List<Runnable> asks = new ArrayList<>();
        lock.lock();
        try {
            if (!link.isCurrent(session)) {
                // It broke meanwhile, and its successor may have been here before.
                return;
            }
            live = session;
            channels.values().forEach(channel -> asks.add(ask(channel)));
        } finally {
            lock.unlock();
        }
        asks.forEach(Runnable::run);
    }

    private void answered(
            LettuceSession<StatefulRedisPubSubConnection<String, String>> session,
            Channel channel,
            @Nullable Throwable failure) {
        if (failure == null) {
            session.arrived();
            if (!channel.confirmed.complete(null)) {
                tell(channel, ChannelListener::resubscribed);
            }
            return;
        }
        RuntimeException reason = Failures.of(failure, true, link.address());
        if (!(reason instanceof RedisErrorException)) {
            link.replace(session, "it did not confirm a subscription");
            failIfUnreachable(channel);
        } else if (channel.confirmed.isDone() && kind == ChannelKind.OF_SHARD) {
            gone(channel.name);
        } else if (channel.confirmed.isDone()) {
            LOG.warn("Redis at {} refused to renew a subscription", link.address(), reason);
        } else {
            drop(channel, reason);
        }
    }

    /** A channel that was never confirmed does not wait longer than the attempt to connect. */
    private void failIfUnreachable(Channel channel) {
        link.session().opened().whenComplete((connection, failure) -> {
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

    private void deliver(String name, String message) {
        Channel channel = channels.get(name);
        if (channel != null) {
            tell(channel, listener -> listener.message(message));
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
        lock.lock();
        try {
            channel.subscriptions.remove(subscription);
            if (channel.subscriptions.isEmpty() && channels.remove(channel.name, channel) && live != null) {
                StatefulRedisPubSubConnection<String, String> connection = live.connection();
                if (connection != null) {
                    CompletionStage<Void> unused = kind.unsubscribe(connection, channel.name);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void doubt(Channel channel) {
        LettuceSession<StatefulRedisPubSubConnection<String, String>> session = link.session();
        if (!channel.confirmed.isDone() && session.connection() != null) {
            session.doubt(channel.arrivalsBefore, channel.askedAt, () -> true);
        }
    }

    CompletionStage<Void> close(String reason) {
        return link.close(reason);
    }

    /** A channel with its listeners. */
    private static final class Channel {
        final String name;
        final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
        final CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();
        volatile long arrivalsBefore;
        volatile long askedAt;

        Channel(String name) {
            this.name = name;
        }

        CompletionStage<@Nullable Void> confirmed() {
            return confirmed;
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
            channel.confirmed().whenComplete((nothing, failure) -> {
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
                doubt(channel);
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
