package dev.leasehold.micronaut;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.annotation.LockGate;
import io.micronaut.context.BeanContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful shutdown: it refuses new locks, waits for the holders of locks, releases the remaining locks and closes
 * the client, if the application has used it. It runs before the beans are destroyed, among them the connections to Redis.
 */
@Singleton
final class LeaseholdShutdown implements ApplicationEventListener<ShutdownEvent> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.micronaut");

    private final BeanContext beans;
    private final HeldLeases held;
    private final LockGate gate;
    private final Duration limit;

    LeaseholdShutdown(BeanContext beans, HeldLeases held, LockGate gate, LeaseholdConfiguration configuration) {
        this.beans = beans;
        this.held = held;
        this.gate = gate;
        this.limit = configuration.shutdown().timeout();
    }

    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        beans.getActiveBeanRegistrations(Leasehold.class).forEach(client -> close(client.getBean()));
    }

    private void close(Leasehold leasehold) {
        try {
            if (!gate.drain(held, limit)) {
                LOG.warn("locks were still held after {} ms: {}; they are released", limit.toMillis(), held.number());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        leasehold.close();
    }
}
