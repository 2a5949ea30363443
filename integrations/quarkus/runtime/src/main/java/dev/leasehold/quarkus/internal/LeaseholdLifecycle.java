package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.LockGate;
import dev.leasehold.quarkus.LeaseholdRuntimeConfig;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects when the application starts, so that a wrong setting fails the start and not the first call, and waits at
 * shutdown for the methods that hold locks.
 */
@Singleton
public final class LeaseholdLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.quarkus");

    private final LockGate gate;
    private final Duration limit;

    LeaseholdLifecycle(LockCalls calls, LeaseholdRuntimeConfig config) {
        this.gate = calls.gate();
        this.limit = config.shutdown().timeout();
    }

    void start(@Observes StartupEvent event) {
        gate.open();
    }

    void stop(@Observes ShutdownEvent event) {
        gate.shut();
        try {
            if (!gate.awaitEmpty(limit)) {
                LOG.warn("methods still held locks after {} ms; they are released", limit.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
