package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A JUnit extension that provides the tests of a class with an {@link EmbeddedRedis}, registered in a static field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.perClass();
 * }</pre>
 *
 * <p>Before each test the extension makes the server usable again: it resumes a paused server, restarts a killed
 * one, and deletes all keys unless {@link #withoutFlush()} was called. Changes that a test made by CONFIG SET or
 * ACL SETUSER remain.
 *
 * <p>Thread-safe. Tests that run in parallel on one server should not rely on the deletion of keys.
 */
public final class EmbeddedRedisExtension implements BeforeAllCallback, BeforeEachCallback {

    private static final Namespace NAMESPACE = Namespace.create(EmbeddedRedisExtension.class);

    private final boolean shared;
    private final boolean flush;
    private final EmbeddedRedisBuilder settings;
    private volatile @Nullable EmbeddedRedis server;

    private EmbeddedRedisExtension(boolean shared, boolean flush, EmbeddedRedisBuilder settings) {
        this.shared = shared;
        this.flush = flush;
        this.settings = settings;
    }

    /**
     * Returns an extension with one server with the default settings for each test class, from its first test to
     * its last.
     */
    public static EmbeddedRedisExtension perClass() {
        return perClass(EmbeddedRedis.builder());
    }

    /**
     * Returns an extension with one server with these settings for each test class, from its first test to its
     * last.
     */
    public static EmbeddedRedisExtension perClass(EmbeddedRedisBuilder settings) {
        return new EmbeddedRedisExtension(false, true, settings);
    }

    /**
     * Returns an extension that shares one server with the default settings among all test classes of the run that
     * request a shared one.
     */
    public static EmbeddedRedisExtension shared() {
        return new EmbeddedRedisExtension(true, true, EmbeddedRedis.builder());
    }

    /** Returns the same extension, but keys remain from test to test. */
    public EmbeddedRedisExtension withoutFlush() {
        return new EmbeddedRedisExtension(shared, false, settings);
    }

    /**
     * Returns the server.
     *
     * @throws IllegalStateException if no test class with this extension has begun: the extension must be in a
     *     static field
     */
    public EmbeddedRedis server() {
        EmbeddedRedis started = server;
        if (started == null) {
            throw new IllegalStateException(
                    "The embedded Redis has not been started yet. Put @RegisterExtension on a static field.");
        }
        return started;
    }

    /** Returns the URI for clients; see {@link EmbeddedRedis#uri()}. */
    public String uri() {
        return server().uri();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // A store closes its contents; nested classes find the server of the enclosing class.
        ExtensionContext owner = shared ? context.getRoot() : context;
        Object key = shared ? "shared" : this;
        server = Stored.computeIfAbsent(
                owner.getStore(NAMESPACE), key, EmbeddedRedis.class, () -> EmbeddedRedis.start(settings));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        server().reset(flush);
    }
}
