package dev.leasehold.internal.adapter;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The subscriptions of a transport or of a shard, for a Redis client that listens on a thread. One thread listens on
 * one connection, which it reopens whenever it breaks. The connection ends with the last subscription, and the thread
 * with the transport.
 *
 * <p>The lock keeps the SUBSCRIBE and UNSUBSCRIBE commands of a channel in the order in which its listeners are added
 * and removed. Neither listeners nor callers' stages run under it. Methods may be called by any thread.
 */
public final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String threadName;
    private final PubSubConnector connector;
    private final long connectTimeoutNanos;
    private final @Nullable Consumer<String> onServerUnsubscribe;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();

    /** The session that listens or is about to; guarded by the lock, like the fields below. */
    private @Nullable Session current;

    /** The same session, once callers may send commands over it. */
    private @Nullable Session session;

    private boolean started;
    private boolean closed;

    /**
     * Creates the subscriptions; the first one opens a connection.
     *
     * @param threadName the name of the thread, to which the address is appended
     * @param connector opens connections
     * @param connectTimeoutNanos how long to wait for a connection
     * @param onServerUnsubscribe called on the listening thread with each channel that the server has unsubscribed;
     *     null for channels that are not sharded, which servers keep
     */
    public Subscriptions(
            String threadName,
            PubSubConnector connector,
            long connectTimeoutNanos,
            @Nullable Consumer<String> onServerUnsubscribe) {
        this.threadName = threadName;
        this.connector = connector;
        this.connectTimeoutNanos = connectTimeoutNanos;
        this.onServerUnsubscribe = onServerUnsubscribe;
    }

    /** Reopens the connection if it is open, because its server has problems. */
    public void abandon() {
        lock.lock();
        try {
            if (current != null) {
                current.cut();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Subscribes.
     *
     * @param name the channel
     * @param listener notified on the listening thread, or on one of the Redis client's
     * @return a stage with a handle that ends the subscription, completed once Redis has confirmed it
     */
    public CompletionStage<AutoCloseable> subscribe(String name, ChannelListener listener) {
        Subscription subscription;
        lock.lock();
        try {
            if (closed) {
                return CompletableFuture.failedFuture(closed());
            }
            Channel channel = channels.get(name);
            if (channel == null) {
                channel = new Channel(name);
                channels.put(name, channel);
                if (session != null) {
                    session.requestSubscribe(name);
                }
            }
            subscription = new Subscription(channel, listener);
            channel.subscriptions.add(subscription);
            startThread();
            changed.signal();
        } finally {
            lock.unlock();
        }
        subscription.awaitConfirmation();
        return subscription;
    }

    private void startThread() {
        if (!started) {
            started = true;
            Thread thread = new Thread(this::run, threadName + " " + connector.address());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        int failures = 0;
        for (String first = next(0); first != null; first = next(failures)) {
            try {
                failures = listen(first) ? 0 : failures + 1;
            } catch (RuntimeException e) {
                failures++;
                LOG.error("a bug in Leasehold: subscriptions start again", e);
            }
        }
    }

    /** Waits until there is a channel to subscribe to, with back-off after failures; returns null after the close. */
    private @Nullable String next(int failures) {
        long delay = Math.min(FIRST_DELAY_NANOS << Math.min(failures, 10), LONGEST_DELAY_NANOS);
        long left = failures == 0 ? 0 : ThreadLocalRandom.current().nextLong(delay / 2, delay + 1);
        lock.lock();
        try {
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            while (!closed && channels.isEmpty()) {
                changed.await();
            }
            return closed ? null : channels.keySet().iterator().next();
        } catch (InterruptedException e) {
            // An interrupt requests the end of this thread.
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Listens over one connection until its end; returns whether Redis confirmed any subscription. */
    private boolean listen(String first) {
        PubSubConnection connection;
        try {
            connection = connector.open(connectTimeoutNanos);
        } catch (RuntimeException e) {
            LOG.debug("No connection to Redis at {} for subscriptions", connector.address(), e);
            channels.values().forEach(channel -> failUnlessConfirmed(channel, e));
            return false;
        }
        Session next = new Session(connection);
        boolean clean = false;
        try {
            next.listen(first);
            clean = true;
        } catch (RedisErrorException e) {
            refused(next, e);
        } catch (TransportException e) {
            if (!isClosed()) {
                LOG.warn("The connection for subscriptions is replaced: {}", e.getMessage());
            }
        } finally {
            end(next, clean);
        }
        return next.confirmed;
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void end(Session ended, boolean clean) {
        boolean sound;
        lock.lock();
        try {
            current = null;
            session = null;
            // Otherwise replies to the last requests may still arrive.
            sound = clean && ended.pending.isEmpty() && !ended.cut;
        } finally {
            lock.unlock();
        }
        ended.connection.end(sound);
    }

    /** Redis answers in the order of the requests, so it refused the oldest one. */
    private void refused(Session by, RedisErrorException refusal) {
        Request refused;
        lock.lock();
        try {
            // A client that reconnects by itself after the cut gets an error, because it did not authenticate.
            refused = by.cut ? null : by.pending.poll();
        } finally {
            lock.unlock();
        }
        Channel channel = refused == null || !refused.subscribe() ? null : channels.get(refused.name());
        if (channel == null || failUnlessConfirmed(channel, refusal)) {
            return;
        }
        remove(channel);
        if (onServerUnsubscribe == null) {
            LOG.warn("Redis at {} refused to renew a subscription", connector.address(), refusal);
        } else {
            onServerUnsubscribe.accept(channel.name);
        }
    }

    /** Removes a channel that was never confirmed, and fails its subscribers; returns false if it was confirmed. */
    private boolean failUnlessConfirmed(Channel channel, RuntimeException failure) {
        if (channel.confirmed.isDone()) {
            return false;
        }
        remove(channel);
        channel.confirmed.completeExceptionally(failure);
        return true;
    }

    private void remove(Channel channel) {
        lock.lock();
        try {
            channels.remove(channel.name, channel);
        } finally {
            lock.unlock();
        }
    }

    private void deliver(String name, String message) {
        Channel channel = channels.get(name);
        if (channel != null) {
            notifyListeners(channel, listener -> listener.message(message));
        }
    }

    private void confirm(@Nullable Channel channel) {
        if (channel != null && !channel.confirmed.complete(null)) {
            notifyListeners(channel, ChannelListener::resubscribed);
        }
    }

    private static void notifyListeners(Channel channel, Consumer<ChannelListener> notification) {
        for (Subscription subscription : channel.subscriptions) {
            try {
                notification.accept(subscription.listener);
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
            if (channel.subscriptions.isEmpty() && channels.remove(channel.name, channel) && session != null) {
                session.requestUnsubscribe(channel.name);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces the connection if the channel is not confirmed: a subscriber has stopped waiting, so the connection is
     * probably dead.
     */
    private void suspect(Channel channel) {
        lock.lock();
        try {
            if (!channel.confirmed.isDone() && current != null) {
                current.cut();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all subscriptions, the connection and the thread. Stages that wait for a confirmation fail. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
            if (current != null) {
                current.cut();
            }
        } finally {
            lock.unlock();
        }
        channels.values().forEach(channel -> failUnlessConfirmed(channel, closed()));
    }

    private TransportException closed() {
        return new TransportException(
                "no connection to Redis at " + connector.address() + ": the transport was closed", false, null);
    }

    /** A request to Redis that is not answered yet. */
    private record Request(String name, boolean subscribe) {}

    /** Listens over one connection. Callers may send commands over it once its first request is answered. */
    private final class Session implements PubSubConnection.MessageHandler {
        final PubSubConnection connection;
        /** Guarded by the lock, like the next field. */
        final Deque<Request> pending = new ArrayDeque<>();

        boolean cut;

        volatile boolean confirmed;

        Session(PubSubConnection connection) {
            this.connection = connection;
        }

        /** Returns when the last subscription has ended. */
        void listen(String first) {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                pending.add(new Request(first, true));
                current = this;
            } finally {
                lock.unlock();
            }
            connection.listen(first, this);
        }

        /** Called under the lock. If the connection is broken, the next one subscribes to all channels. */
        void requestSubscribe(String name) {
            pending.add(new Request(name, true));
            connection.subscribe(name);
        }

        /** Called under the lock. */
        void requestUnsubscribe(String name) {
            pending.add(new Request(name, false));
            connection.unsubscribe(name);
        }

        /** Called under the lock, so that no thread writes meanwhile or afterwards. */
        void cut() {
            cut = true;
            if (session == this) {
                session = null;
            }
            connection.cut();
        }

        @Override
        public void subscribed(String name) {
            Channel channel;
            lock.lock();
            try {
                pending.poll();
                if (!confirmed) {
                    confirmed = true;
                    openForCallers(name);
                }
                // If the channel was unsubscribed and subscribed again, only the last answer belongs to the present
                // subscription.
                boolean last =
                        pending.stream().noneMatch(request -> request.name().equals(name));
                channel = last ? channels.get(name) : null;
            } finally {
                lock.unlock();
            }
            confirm(channel);
        }

        /** Opens the session for callers, and sends the requests for channels added or removed before it was open. */
        private void openForCallers(String first) {
            if (closed || cut) {
                // If the connection was cut before the first request was sent, that request may have reopened it.
                cut();
                return;
            }
            session = this;
            channels.keySet().stream().filter(name -> !name.equals(first)).forEach(this::requestSubscribe);
            if (!channels.containsKey(first)) {
                requestUnsubscribe(first);
            }
        }

        /** A server also unsubscribes sharded channels by itself when it loses their slot. */
        @Override
        public void unsubscribed(String name) {
            boolean gone;
            lock.lock();
            try {
                boolean requested = new Request(name, false).equals(pending.peek());
                if (requested) {
                    pending.poll();
                }
                gone = !requested && channels.remove(name) != null;
            } finally {
                lock.unlock();
            }
            if (gone && onServerUnsubscribe != null) {
                onServerUnsubscribe.accept(name);
            }
        }

        @Override
        public void message(String name, String message) {
            deliver(name, message);
        }
    }

    /** A channel with its listeners. */
    private static final class Channel {
        final String name;
        final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
        final CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();

        Channel(String name) {
            this.name = name;
        }
    }

    /** The stage returned to a subscriber and, once confirmed, the handle that ends the subscription. */
    private final class Subscription extends CompletableFuture<AutoCloseable> implements AutoCloseable {
        final Channel channel;
        final ChannelListener listener;

        Subscription(Channel channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        void awaitConfirmation() {
            CompletionStage<?> unused = channel.confirmed.whenComplete((nothing, failure) -> {
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
                suspect(channel);
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
