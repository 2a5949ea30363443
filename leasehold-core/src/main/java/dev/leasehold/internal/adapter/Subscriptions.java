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
 * Subscriptions of one kind over a client that listens on a thread, all of a transport or all of a shard: one thread listens on
 * one connection, which it opens again whenever it breaks. The connection ends with the last subscription, and the thread with
 * the transport.
 *
 * <p>The lock puts the SUBSCRIBE and UNSUBSCRIBE of a channel in the order in which its listeners come and go. Neither
 * listeners nor callers' stages run under it. Methods may be called by any thread.
 */
public final class Subscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);
    private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String threadName;
    private final PubSubConnector ears;
    private final long connectTimeoutNanos;
    private final @Nullable Consumer<String> onGone;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();

    /** What listens, or is about to; guarded by the lock, as all below. */
    private @Nullable Session current;

    /** The same as soon as others may ask over it. */
    private @Nullable Session session;

    private boolean begun;
    private boolean closed;

    /**
     * Prepares them; nothing is opened before the first is wanted.
     *
     * @param threadName what the thread is called, before the address
     * @param ears where connections come from
     * @param connectTimeoutNanos how long to wait for one
     * @param onGone told of each channel that the server does not keep any more, on the thread that listens; null if servers
     *     keep all, as they do channels that are not a shard's
     */
    public Subscriptions(
            String threadName, PubSubConnector ears, long connectTimeoutNanos, @Nullable Consumer<String> onGone) {
        this.threadName = threadName;
        this.ears = ears;
        this.connectTimeoutNanos = connectTimeoutNanos;
        this.onGone = onGone;
    }

    /** Opens the connection anew, if it is open: its server is in trouble. */
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
     * @param listener told on the thread that listens, or on one of the Redis client's
     * @return completed when Redis has confirmed, with what ends it
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
                    session.ask(name);
                }
            }
            subscription = new Subscription(channel, listener);
            channel.subscriptions.add(subscription);
            begin();
            changed.signal();
        } finally {
            lock.unlock();
        }
        subscription.awaitConfirmation();
        return subscription;
    }

    private void begin() {
        if (!begun) {
            begun = true;
            Thread thread = new Thread(this::run, threadName + " " + ears.address());
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
                LOG.error("a bug in Leasehold: subscriptions begin anew", e);
            }
        }
    }

    /** Waits until there is a channel to subscribe to, and after a failure for a while; null after the close. */
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
            // Whoever does that wants an end of this thread.
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Listens over one connection until its end; tells whether Redis had confirmed anything. */
    private boolean listen(String first) {
        PubSubConnection ear;
        try {
            ear = ears.open(connectTimeoutNanos);
        } catch (RuntimeException e) {
            LOG.debug("No connection to Redis at {} for subscriptions", ears.address(), e);
            channels.values().forEach(channel -> drop(channel, e));
            return false;
        }
        Session next = new Session(ear);
        boolean whole = false;
        try {
            next.listen(first);
            whole = true;
        } catch (RedisErrorException e) {
            refused(next, e);
        } catch (TransportException e) {
            if (!isClosed()) {
                LOG.warn("The connection for subscriptions is replaced: {}", e.getMessage());
            }
        } finally {
            end(next, whole);
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

    private void end(Session ended, boolean whole) {
        boolean sound;
        lock.lock();
        try {
            current = null;
            session = null;
            // Else replies to what was asked at last may still come.
            sound = whole && ended.asked.isEmpty() && !ended.cut;
        } finally {
            lock.unlock();
        }
        ended.ear.end(sound);
    }

    /** Redis answers in the order of the questions, so it was the oldest that it refused. */
    private void refused(Session by, RedisErrorException refusal) {
        Ask refused;
        lock.lock();
        try {
            // What was cut, and opened again by a client that does so, is refused for want of a password.
            refused = by.cut ? null : by.asked.poll();
        } finally {
            lock.unlock();
        }
        Channel channel = refused == null || !refused.wanted() ? null : channels.get(refused.name());
        if (channel == null || drop(channel, refusal)) {
            return;
        }
        remove(channel);
        if (onGone == null) {
            LOG.warn("Redis at {} refused to renew a subscription", ears.address(), refusal);
        } else {
            onGone.accept(channel.name);
        }
    }

    /** A channel that was never confirmed is given up; false if this one was. */
    private boolean drop(Channel channel, RuntimeException failure) {
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
            tell(channel, listener -> listener.message(message));
        }
    }

    private void confirm(@Nullable Channel channel) {
        if (channel != null && !channel.confirmed.complete(null)) {
            tell(channel, ChannelListener::resubscribed);
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
            if (channel.subscriptions.isEmpty() && channels.remove(channel.name, channel) && session != null) {
                session.askNoMore(channel.name);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Given up before it was confirmed: so the connection is likely to be dead. */
    private void doubt(Channel channel) {
        lock.lock();
        try {
            if (!channel.confirmed.isDone() && current != null) {
                current.cut();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all of them, the connection and the thread. Who waits for a confirmation is told. */
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
        channels.values().forEach(channel -> drop(channel, closed()));
    }

    private TransportException closed() {
        return new TransportException(
                "no connection to Redis at " + ears.address() + ": the transport was closed", false, null);
    }

    /** What was asked of Redis and is not answered yet. */
    private record Ask(String name, boolean wanted) {}

    /** Listens over one connection. The others may ask over it as soon as its first question is answered. */
    private final class Session implements PubSubConnection.Hearer {
        final PubSubConnection ear;
        /** Guarded by the lock, as the next. */
        final Deque<Ask> asked = new ArrayDeque<>();

        boolean cut;

        volatile boolean confirmed;

        Session(PubSubConnection ear) {
            this.ear = ear;
        }

        /** Returns when the last subscription has ended. */
        void listen(String first) {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                asked.add(new Ask(first, true));
                current = this;
            } finally {
                lock.unlock();
            }
            ear.listen(first, this);
        }

        /** Under the lock. If the connection is broken, all channels are asked for over the next. */
        void ask(String name) {
            asked.add(new Ask(name, true));
            ear.subscribe(name);
        }

        /** Under the lock. */
        void askNoMore(String name) {
            asked.add(new Ask(name, false));
            ear.unsubscribe(name);
        }

        /** Under the lock, so that nobody writes meanwhile, or afterwards. */
        void cut() {
            cut = true;
            if (session == this) {
                session = null;
            }
            ear.cut();
        }

        @Override
        public void subscribed(String name) {
            Channel channel;
            lock.lock();
            try {
                asked.poll();
                if (!confirmed) {
                    confirmed = true;
                    beginWithOthers(name);
                }
                // Not if it was ended and asked for anew: only the last answer is that to the present channel.
                boolean last = asked.stream().noneMatch(ask -> ask.name().equals(name));
                channel = last ? channels.get(name) : null;
            } finally {
                lock.unlock();
            }
            confirm(channel);
        }

        /** Whoever came or went until now has not been able to ask. */
        private void beginWithOthers(String first) {
            if (closed || cut) {
                // Cut before the first question was sent, it may have been opened again by that.
                cut();
                return;
            }
            session = this;
            channels.keySet().stream().filter(name -> !name.equals(first)).forEach(this::ask);
            if (!channels.containsKey(first)) {
                askNoMore(first);
            }
        }

        /** A server ends by itself what is of a slot that it has no more. */
        @Override
        public void unsubscribed(String name) {
            boolean gone;
            lock.lock();
            try {
                boolean wished = new Ask(name, false).equals(asked.peek());
                if (wished) {
                    asked.poll();
                }
                gone = !wished && channels.remove(name) != null;
            } finally {
                lock.unlock();
            }
            if (gone && onGone != null) {
                onGone.accept(name);
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

    /** The stage that a subscriber gets and, once confirmed, what ends the subscription. */
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
