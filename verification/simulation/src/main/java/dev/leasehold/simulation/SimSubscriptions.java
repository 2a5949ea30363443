package dev.leasehold.simulation;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one client, over a connection of its own: it breaks with the others, and reconnects after a
 * while.
 */
final class SimSubscriptions {

    private static final long NOTICED_NANOS = 1_000_000;
    private static final long MOST_AWAY_NANOS = 400_000_000;

    private final World world;
    private final Machine machine;
    private final Server server;
    private final Network network;
    private final RandomGenerator random;
    private final List<Subscription> all = new ArrayList<>();
    private Consumer<String> heard = message -> {};
    private int connection;
    private long lastMessage;

    SimSubscriptions(World world, Machine machine, Server server, Network network, RandomGenerator random) {
        this.world = world;
        this.machine = machine;
        this.server = server;
        this.network = network;
        this.random = random;
    }

    /** Sets who learns of each message before its listener does. */
    void heardBy(Consumer<String> observer) {
        heard = observer;
    }

    CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        Subscription subscription = new Subscription(channel, listener);
        if (server.down()) {
            TransportException refused = new TransportException("connection refused", false, null);
            world.after(
                    NOTICED_NANOS, () -> machine.deliver(() -> subscription.confirmed.completeExceptionally(refused)));
        } else {
            all.add(subscription);
            subscription.request();
        }
        return subscription.confirmed;
    }

    /** Loses the connection, and the messages on their way. */
    void reset() {
        end();
        lastMessage = 0;
        for (Subscription subscription : all) {
            world.after(random.nextLong(MOST_AWAY_NANOS), subscription::request);
        }
    }

    /** Ends delivery over the present connection. */
    void end() {
        connection++;
        all.forEach(Subscription::leave);
    }

    /** Returns whether the server learns that the process is dead. */
    boolean noticed() {
        return random.nextBoolean();
    }

    private final class Subscription {
        private final String channel;
        private final ChannelListener listener;
        private final CompletableFuture<AutoCloseable> confirmed = new CompletableFuture<>();
        private @Nullable AutoCloseable there;

        Subscription(String channel, ChannelListener listener) {
            this.channel = channel;
            this.listener = listener;
        }

        private void request() {
            int requested = connection;
            world.after(network.latency(), () -> arrive(requested));
        }

        private void arrive(int requested) {
            if (requested != connection || there != null || machine.dead()) {
                return;
            }
            if (server.down()) {
                world.after(random.nextLong(MOST_AWAY_NANOS), this::request);
                return;
            }
            if (server.processesAt() > world.now()) {
                world.at(server.processesAt(), () -> arrive(requested));
                return;
            }
            there = server.redis().subscribe(channel, message -> travel(message, requested));
            lastMessage = Math.max(lastMessage, world.now() + network.latency());
            world.at(lastMessage, () -> machine.deliver(() -> confirm(requested)));
        }

        private void confirm(int requested) {
            if (requested == connection && !confirmed.complete(this::leave)) {
                listener.resubscribed();
            }
        }

        private void travel(String message, int over) {
            if (network.losesMessage()) {
                return;
            }
            lastMessage = Math.max(lastMessage, world.now() + network.latency());
            world.at(lastMessage, () -> {
                if (over == connection) {
                    machine.deliver(() -> {
                        heard.accept(message);
                        listener.message(message);
                    });
                }
            });
        }

        private void leave() {
            AutoCloseable subscribed = there;
            there = null;
            if (subscribed != null) {
                try {
                    subscribed.close();
                } catch (Exception e) {
                    throw new IllegalStateException("the simulated server does not let go", e);
                }
            }
        }
    }
}
