package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

class StoredTest {

    /** The servers of test classes stayed until the JVM ended: that JUnit closes no other AutoCloseable. */
    @Test
    @SuppressWarnings("deprecation") // In JUnit 6.
    void junitBefore513ClosesAServerWithItsClass() throws Throwable {
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable server = closed::incrementAndGet;
        Object stored = new Stored(server);
        assertThat(stored).isInstanceOf(CloseableResource.class);
        ((CloseableResource) stored).close();
        assertThat(closed).hasValue(1);
    }
}
