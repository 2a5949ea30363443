package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.HeldLeases;
import dev.leasehold.annotation.LockGate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The graceful shutdown: it refuses new locks, waits for the holders of locks, releases the remaining locks and closes
 * the client. It runs after the web server has finished its requests, and before the connections to Redis are closed.
 */
final class LeaseholdShutdown
        implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, ApplicationContextAware {

    /**
     * Below the phase of the web servers, which finish their requests first, and above 0, where connection factories
     * stop.
     */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final ObjectProvider<LockGate> gate;
    private final Duration limit;
    private @Nullable ApplicationContext context;
    private volatile boolean running;
    private volatile boolean closing;

    LeaseholdShutdown(Leasehold leasehold, HeldLeases held, ObjectProvider<LockGate> gate, Duration limit) {
        this.leasehold = leasehold;
        this.held = held;
        this.gate = gate;
        this.limit = limit;
    }

    @Override
    public void setApplicationContext(ApplicationContext own) {
        context = own;
    }

    /** Distinguishes closing from stopping: a stopped context may be started again, and then needs its client. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public void start() {
        gate.ifAvailable(LockGate::open);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        LockGate lockGate = gate.getIfAvailable();
        try {
            if (!(lockGate == null ? held.awaitNone(limit) : lockGate.drain(held, limit))) {
                LOG.warn(
                        "locks were still held after {} ms: {}; {}",
                        limit.toMillis(),
                        held.number(),
                        closing ? "they are released" : "they stay held");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closing) {
            leasehold.close();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns false, so that a paused test context keeps its client. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
