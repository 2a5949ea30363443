package dev.leasehold.testkit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Gives the tests of a class an {@link EmbeddedRedis}, registered in a static field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.perClass();
 * }</pre>
 *
 * <p>Before each test the server is made usable again: let go if it was paused, started anew if it was killed, and
 * emptied unless {@link #withoutFlush()} says otherwise. What a test changed by CONFIG SET or ACL SETUSER stays.
 *
 * <p>Thread-safe; tests that run in parallel on one server should not rely on the emptying.
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

    /** One server with the default settings for each test class, from its first test to its last. */
    public static EmbeddedRedisExtension perClass() {
        return perClass(EmbeddedRedis.builder());
    }

    /** One server with these settings for each test class, from its first test to its last. */
    public static EmbeddedRedisExtension perClass(EmbeddedRedisBuilder settings) {
        return new EmbeddedRedisExtension(false, true, settings);
    }

    /** One server with the default settings for all test classes of the run that ask for a shared one. */
    public static EmbeddedRedisExtension shared() {
        return new EmbeddedRedisExtension(true, true, EmbeddedRedis.builder());
    }

    /** The same, but keys stay from test to test. */
    public EmbeddedRedisExtension withoutFlush() {
        return new EmbeddedRedisExtension(shared, false, settings);
    }

    /**
     * The server.
     *
     * @throws IllegalStateException if no test class with this extension has begun: it must stand in a static field
     */
    public EmbeddedRedis server() {
        EmbeddedRedis started = server;
        if (started == null) {
            throw new IllegalStateException(
                    "The embedded Redis is not there yet. Put @RegisterExtension on a static field.");
        }
        return started;
    }

    /** Where clients connect; see {@link EmbeddedRedis#uri()}. */
    public String uri() {
        return server().uri();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // A store closes what it holds; nested classes find the server of the class around them.
        ExtensionContext owner = shared ? context.getRoot() : context;
        Object key = shared ? "shared" : this;
        server =
                owner.getStore(NAMESPACE).computeIfAbsent(key, k -> EmbeddedRedis.start(settings), EmbeddedRedis.class);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        server().reset(flush);
    }
}
