package dev.leasehold.internal.request;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps the callers of a client that are event loops from blocking. Safe for use by any thread. */
public final class EventLoopGuard {

    private final BooleanSupplier onEventLoop;
    private final ServerFeatures features;
    private final StepExecutor steps;

    /**
     * Creates the guard.
     *
     * @param onEventLoop whether the calling thread must not block
     * @param features tell whether the transport sends on the caller's thread and blocks it until the answer
     * @param steps sends instead of an event loop
     */
    public EventLoopGuard(BooleanSupplier onEventLoop, ServerFeatures features, StepExecutor steps) {
        this.onEventLoop = onEventLoop;
        this.features = features;
        this.steps = steps;
    }

    boolean onEventLoop() {
        return onEventLoop.getAsBoolean();
    }

    void refuse(LockKey key) {
        if (onEventLoop()) {
            throw new IllegalStateException(
                    "this call for " + key.shown() + " would block the event loop '"
                            + Thread.currentThread().getName()
                            + "', and everything else that it serves, until Redis answers. Nothing was sent. Use the method whose name"
                            + " ends in Async, or with @Lock a method with a reactive result, or call it from a thread that may block");
        }
    }

    /** Returns what has to send instead of the calling thread, because sending would block an event loop; null if nothing has to. */
    @Nullable
    Executor sender() {
        return sendingBlocks() && onEventLoop() ? steps::run : null;
    }

    /** Returns whether a thread that sends is blocked until the answer. */
    boolean sendingBlocks() {
        return !features.include(Capability.SHARES_CONNECTIONS);
    }
}
