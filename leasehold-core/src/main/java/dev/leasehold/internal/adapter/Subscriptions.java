package dev.leasehold.internal.adapter;

import dev.leasehold.internal.adapter.SubscribedChannel.Subscription;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
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

    private final String threadName;
    private final PubSubConnector connector;
    private final long connectTimeoutNanos;
    private final @Nullable Consumer<String> onServerUnsubscribe;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, SubscribedChannel> channels = new ConcurrentHashMap<>();

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
            SubscribedChannel channel = channels.get(name);
            if (channel == null) {
                channel = new SubscribedChannel(name);
                channels.put(name, channel);
                if (session != null) {
                    session.requestSubscribe(name);
                }
            }
            subscription = channel.add(this, listener);
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
        long left = failures == 0 ? 0 : ReconnectBackoff.delayNanos(failures);
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
        String refused;
        lock.lock();
        try {
            // A client that reconnects by itself after the cut gets an error, because it did not authenticate.
            refused = by.cut ? null : by.pending.removeRefused();
        } finally {
            lock.unlock();
        }
        SubscribedChannel channel = refused == null ? null : channels.get(refused);
        if (channel == null || failUnlessConfirmed(channel, refusal)) {
            return;
        }
        remove(channel);
        if (onServerUnsubscribe == null) {
            LOG.warn("Redis at {} refused to renew a subscription", connector.address(), refusal);
        } else {
            onServerUnsubscribe.accept(channel.name());
        }
    }

    /** Removes a channel that was never confirmed, and fails its subscribers; returns false if it was confirmed. */
    private boolean failUnlessConfirmed(SubscribedChannel channel, RuntimeException failure) {
        if (channel.confirmed()) {
            return false;
        }
        remove(channel);
        channel.fail(failure);
        return true;
    }

    private void remove(SubscribedChannel channel) {
        lock.lock();
        try {
            channels.remove(channel.name(), channel);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a subscription, and the channel with its last one. */
    void remove(SubscribedChannel channel, Subscription subscription) {
        lock.lock();
        try {
            if (channel.removeLast(subscription) && channels.remove(channel.name(), channel) && session != null) {
                session.requestUnsubscribe(channel.name());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces the connection if the channel is not confirmed: a subscriber has stopped waiting, so the connection is
     * probably dead.
     */
    void suspect(SubscribedChannel channel) {
        lock.lock();
        try {
            if (!channel.confirmed() && current != null) {
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

    /** Listens over one connection. Callers may send commands over it once its first request is answered. */
    private final class Session implements PubSubConnection.MessageHandler {
        final PubSubConnection connection;
        /** Guarded by the lock, like the next field. */
        final PendingRequests pending = new PendingRequests();

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
                pending.addSubscribe(first);
                current = this;
            } finally {
                lock.unlock();
            }
            connection.listen(first, this);
        }

        /** Called under the lock. If the connection is broken, the next one subscribes to all channels. */
        void requestSubscribe(String name) {
            pending.addSubscribe(name);
            connection.subscribe(name);
        }

        /** Called under the lock. */
        void requestUnsubscribe(String name) {
            pending.addUnsubscribe(name);
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
            SubscribedChannel channel;
            lock.lock();
            try {
                pending.removeSubscribe();
                if (!confirmed) {
                    confirmed = true;
                    openForCallers(name);
                }
                // If the channel was unsubscribed and subscribed again, only the last answer belongs to the present
                // subscription.
                channel = pending.contains(name) ? null : channels.get(name);
            } finally {
                lock.unlock();
            }
            if (channel != null) {
                channel.confirm();
            }
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
                gone = !pending.removeUnsubscribe(name) && channels.remove(name) != null;
            } finally {
                lock.unlock();
            }
            if (gone && onServerUnsubscribe != null) {
                onServerUnsubscribe.accept(name);
            }
        }

        @Override
        public void message(String name, String message) {
            SubscribedChannel channel = channels.get(name);
            if (channel != null) {
                channel.deliver(message);
            }
        }
    }
}
