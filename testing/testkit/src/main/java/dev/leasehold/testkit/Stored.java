package dev.leasehold.testkit;

import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * What a store of JUnit keeps for a test class and closes with it. JUnit before 5.13 closes nothing but a
 * {@link CloseableResource}.
 *
 * @param value what is kept
 */
@SuppressWarnings("deprecation") // In JUnit 6. What replaces the type and the method is not in JUnit 5.12.
record Stored(Object value) implements CloseableResource, AutoCloseable {

    /** Returns the value that the store keeps under the key, in this context or an enclosing one; it is created once. */
    static <T> T computeIfAbsent(Store store, Object key, Class<T> type, Supplier<T> creation) {
        Stored stored = store.getOrComputeIfAbsent(key, any -> new Stored(creation.get()), Stored.class);
        return type.cast(Objects.requireNonNull(stored).value());
    }

    @Override
    public void close() throws Exception {
        if (value instanceof AutoCloseable resource) {
            resource.close();
        }
    }
}
