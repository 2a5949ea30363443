package dev.leasehold.quarkus.deployment;

import dev.leasehold.testkit.EmbeddedRedis;
import io.quarkus.test.QuarkusUnitTest;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Applications of tests, each with a server of its own, whose URI is the property {@code quarkus.redis.hosts}. */
final class Applications {

    /** The property with the process id of the server. */
    static final String PID = "test.redis.pid";

    private Applications() {}

    /** The server is started by the test's class, not by its copy in the class loader of the application. */
    static QuarkusUnitTest withRedis(Class<?>... classes) {
        return withRedis(server -> {}, classes);
    }

    /** Its server does not run: a test starts it by {@link #startRedis}. */
    static QuarkusUnitTest withLateRedis(Class<?>... classes) {
        return withRedis(EmbeddedRedis::kill, classes);
    }

    private static QuarkusUnitTest withRedis(Consumer<EmbeddedRedis> first, Class<?>... classes) {
        AtomicReference<EmbeddedRedis> server = new AtomicReference<>();
        QuarkusUnitTest application = withoutRedis(classes);
        return application
                .setBeforeAllCustomizer(() -> {
                    EmbeddedRedis redis = EmbeddedRedis.start();
                    server.set(redis);
                    application.overrideRuntimeConfigKey("quarkus.redis.hosts", redis.uri());
                    application.overrideRuntimeConfigKey(PID, String.valueOf(redis.pid()));
                    first.accept(redis);
                })
                .setAfterAllCustomizer(() -> server.get().close());
    }

    /** Starts a server where the application expects it, from within the application. */
    static EmbeddedRedis startRedis(String uri) {
        URI expected = URI.create(uri);
        return EmbeddedRedis.builder()
                .port(expected.getPort())
                .password(expected.getUserInfo().substring(1))
                .start();
    }

    static QuarkusUnitTest withoutRedis(Class<?>... classes) {
        return new QuarkusUnitTest()
                .withApplicationRoot(archive -> archive.addClasses(classes).addClass(Applications.class))
                .overrideConfigKey("quarkus.devservices.enabled", "false")
                .overrideConfigKey("quarkus.http.test-port", "0")
                .overrideConfigKey("quarkus.transaction-manager.object-store.directory", "target/object-store");
    }
}
