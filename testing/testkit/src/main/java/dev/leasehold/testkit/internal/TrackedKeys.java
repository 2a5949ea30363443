package dev.leasehold.testkit.internal;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Which connections with {@code CLIENT TRACKING ON OPTIN NOLOOP} have read which keys since their last change. */
final class TrackedKeys {

    private final Map<String, Set<Consumer<String>>> readers = new LinkedHashMap<>();
    private final Consumer<Runnable> deliver;
    private @Nullable Consumer<String> current;

    /** Hands over each message for delivery after the command. */
    TrackedKeys(Consumer<Runnable> deliver) {
        this.deliver = deliver;
    }

    /** Sets the connection whose command runs; null if it does not track. */
    void connection(@Nullable Consumer<String> connection) {
        current = connection;
    }

    /** A connection reads keys after CLIENT CACHING YES. */
    void read(List<String> keys, Consumer<String> connection) {
        for (String key : keys) {
            readers.computeIfAbsent(key, name -> new LinkedHashSet<>()).add(connection);
        }
    }

    /** A key was written: every reader is told once, except for the connection that wrote it. */
    void written(String key) {
        Set<Consumer<String>> told = readers.remove(key);
        if (told != null) {
            told.stream()
                    .filter(connection -> connection != current)
                    .forEach(connection -> deliver.accept(() -> connection.accept(key)));
        }
    }

    /** Forgets a connection that has ended. */
    void forget(Consumer<String> connection) {
        readers.values().removeIf(all -> all.remove(connection) && all.isEmpty());
    }

    /** Forgets all, because all connections have ended. */
    void clear() {
        readers.clear();
    }
}
