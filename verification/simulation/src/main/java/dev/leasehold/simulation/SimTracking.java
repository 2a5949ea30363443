package dev.leasehold.simulation;

import dev.leasehold.spi.InvalidationListener;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What the server tells one client of changed keys, over the connection of its tracked scripts; a new one after each reset. */
final class SimTracking {

    private static final long MOST_AWAY_NANOS = 400_000_000;

    private final World world;
    private final Machine machine;
    private final Server server;
    private final Network network;
    private final RandomGenerator random;
    private final Doubts doubts;
    private @Nullable InvalidationListener listener;
    private Consumer<String> connection = new Messages();
    private long lastMessage;
    private boolean silent;

    SimTracking(World world, Machine machine, Server server, Network network, RandomGenerator random, Doubts doubts) {
        this.world = world;
        this.machine = machine;
        this.server = server;
        this.network = network;
        this.random = random;
        this.doubts = doubts;
    }

    void to(InvalidationListener hears) {
        listener = hears;
    }

    boolean wanted() {
        return listener != null;
    }

    /** Stands for the present connection. */
    Consumer<String> connection() {
        return connection;
    }

    /** Lets no message arrive any more over the present connection. */
    void silence() {
        silent = true;
    }

    /** Loses the connection, and the messages on their way. */
    void reset() {
        server.redis().untrack(connection);
        connection = new Messages();
        lastMessage = 0;
        silent = false;
        Consumer<String> next = connection;
        world.after(random.nextLong(MOST_AWAY_NANOS), () -> open(next));
    }

    private void open(Consumer<String> opened) {
        InvalidationListener hears = listener;
        if (opened != connection || hears == null || machine.dead()) {
            return;
        }
        if (server.down()) {
            world.after(random.nextLong(MOST_AWAY_NANOS), () -> open(opened));
            return;
        }
        machine.deliver(hears::allInvalidated);
    }

    /** The messages over one connection. */
    private final class Messages implements Consumer<String> {

        @Override
        public void accept(String key) {
            if (network.losesMessage()) {
                return;
            }
            deliver(key);
            if (network.doublesMessage()) {
                deliver(key);
            }
        }

        private void deliver(String key) {
            long at = world.now() + network.latency();
            if (!network.reorders()) {
                at = Math.max(lastMessage, at);
                lastMessage = at;
            }
            world.at(at, () -> {
                InvalidationListener hears = listener;
                if (hears != null && this == connection && !silent) {
                    machine.deliver(() -> {
                        doubts.heard();
                        hears.invalidated(key);
                    });
                }
            });
        }
    }
}
