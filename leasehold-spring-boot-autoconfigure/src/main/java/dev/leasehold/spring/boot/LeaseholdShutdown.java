package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spring.LockGate;
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
 * The end of the application: no more locks are taken, what holds some may end, the rest is released, and the client is closed. After
 * the web server has let its requests end, and before the connections to Redis are closed.
 */
final class LeaseholdShutdown
        implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, ApplicationContextAware {

    /** Below the web servers', which let go of their requests first, and above 0, where connection factories stop. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.spring");

    private final Leasehold leasehold;
    private final HeldLeases held;
    private final ObjectProvider<LockGate> gate;
    private final Duration limit;
    private final TimeSource time = TimeSource.system();
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

    /** A context that is only stopped may be started again, and needs its client then. */
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
        LockGate entrance = gate.getIfAvailable();
        try {
            boolean empty = true;
            long left = limit.toNanos();
            if (entrance != null) {
                entrance.shut();
                long from = time.nanoTime();
                empty = entrance.awaitEmpty(limit);
                left = Math.max(0, left - (time.nanoTime() - from));
            }
            if (!empty || !held.awaitNone(Duration.ofNanos(left))) {
                LOG.warn(
                        "locks were still held after {}: {}; {}",
                        limit,
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

    /** A test context that rests keeps its client. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
