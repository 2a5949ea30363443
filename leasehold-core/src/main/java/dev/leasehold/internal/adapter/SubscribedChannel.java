package dev.leasehold.internal.adapter;

import dev.leasehold.spi.ChannelListener;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel with its subscribers, whose stages complete when Redis confirms the channel. Subscribers are added and
 * removed under the lock of the {@link Subscriptions}; any thread may call the other methods.
 */
final class SubscribedChannel {

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);

    private final String name;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final CompletableFuture<@Nullable Void> confirmed = new CompletableFuture<>();

    SubscribedChannel(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    Subscription add(Subscriptions owner, ChannelListener listener) {
        Subscription subscription = new Subscription(owner, this, listener);
        subscriptions.add(subscription);
        return subscription;
    }

    /** Removes a subscription; returns whether none is left. */
    boolean removeLast(Subscription subscription) {
        subscriptions.remove(subscription);
        return subscriptions.isEmpty();
    }

    /** Returns whether Redis has confirmed the channel, or its subscribers have failed. */
    boolean confirmed() {
        return confirmed.isDone();
    }

    /** Completes the stages of the subscribers; after a reconnect, notifies their listeners instead. */
    void confirm() {
        if (!confirmed.complete(null)) {
            notifyListeners(ChannelListener::resubscribed);
        }
    }

    /** Fails the stages of the subscribers. */
    void fail(RuntimeException failure) {
        confirmed.completeExceptionally(failure);
    }

    /** Notifies all listeners of a message. */
    void deliver(String message) {
        notifyListeners(listener -> listener.message(message));
    }

    private void notifyListeners(Consumer<ChannelListener> notification) {
        for (Subscription subscription : subscriptions) {
            try {
                notification.accept(subscription.listener);
            } catch (RuntimeException e) {
                LOG.warn("A listener of a Redis channel failed", e);
            }
        }
    }

    /** The stage returned to a subscriber and, once confirmed, the handle that ends the subscription. */
    static final class Subscription extends CompletableFuture<AutoCloseable> implements AutoCloseable {
        private final Subscriptions owner;
        private final SubscribedChannel channel;
        private final ChannelListener listener;

        private Subscription(Subscriptions owner, SubscribedChannel channel, ChannelListener listener) {
            this.owner = owner;
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
                owner.suspect(channel);
                close();
            }
            return cancelled;
        }

        @Override
        public void close() {
            owner.remove(channel, this);
        }
    }
}
