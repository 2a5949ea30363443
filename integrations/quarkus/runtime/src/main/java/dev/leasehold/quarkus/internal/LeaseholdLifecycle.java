package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.HeldLeases;
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
 * shutdown for the holders of locks.
 */
@Singleton
public final class LeaseholdLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.quarkus");

    private final LockGate gate;
    private final HeldLeases held;
    private final Duration limit;

    LeaseholdLifecycle(LockCalls calls, HeldLeases held, LeaseholdRuntimeConfig config) {
        this.held = held;
        this.gate = calls.gate();
        this.limit = config.shutdown().timeout();
    }

    void start(@Observes StartupEvent event) {
        gate.open();
    }

    void stop(@Observes ShutdownEvent event) {
        try {
            if (!gate.drain(held, limit)) {
                LOG.warn("locks were still held after {} ms: {}; they are released", limit.toMillis(), held.number());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
