package dev.leasehold.quarkus.deployment;

import dev.leasehold.testkit.EmbeddedRedis;
import io.quarkus.test.QuarkusUnitTest;
import java.util.concurrent.atomic.AtomicReference;

/** Applications of tests, each with a server of its own, whose URI is the property {@code quarkus.redis.hosts}. */
final class Applications {

    private Applications() {}

    /** The server is started by the test's class, not by its copy in the class loader of the application. */
    static QuarkusUnitTest withRedis(Class<?>... classes) {
        AtomicReference<EmbeddedRedis> server = new AtomicReference<>();
        QuarkusUnitTest application = withoutRedis(classes);
        return application
                .setBeforeAllCustomizer(() -> {
                    server.set(EmbeddedRedis.start());
                    application.overrideRuntimeConfigKey(
                            "quarkus.redis.hosts", server.get().uri());
                })
                .setAfterAllCustomizer(() -> server.get().close());
    }

    static QuarkusUnitTest withoutRedis(Class<?>... classes) {
        return new QuarkusUnitTest()
                .withApplicationRoot(archive -> archive.addClasses(classes).addClass(Applications.class))
                .overrideConfigKey("quarkus.devservices.enabled", "false")
                .overrideConfigKey("quarkus.http.test-port", "0")
                .overrideConfigKey("quarkus.transaction-manager.object-store.directory", "target/object-store");
    }
}
