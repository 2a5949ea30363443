package dev.leasehold.internal.lease;

import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of the loss of one lease, exactly once each: the listeners, the owner's thread, and whoever releases it; and of the
 * request to release it, once to each listener. It is a lock itself, which guards the handshake only; nothing foreign is called under it. A lock beside it would be two
 * objects more for each of perhaps a hundred thousand leases.
 */
public final class LossNotice extends AbstractQueuedSynchronizer {

    private static final long serialVersionUID = 1;

    /** Null while there are none, as there mostly are. */
    private @Nullable List<Consumer<LossEvent>> listeners;

    private @Nullable List<Consumer<ReleaseRequestedEvent>> requestListeners;

    private @Nullable LossEvent event;
    private @Nullable ReleaseRequestedEvent request;
    private boolean released;
    private boolean told;

    /** Adds a listener; if the lease is lost already it is returned the event, to be told at once. */
    @Nullable
    public LossEvent add(Consumer<LossEvent> listener) {
        acquire(1);
        try {
            if (event == null) {
                List<Consumer<LossEvent>> those = listeners == null ? new ArrayList<>(1) : listeners;
                those.add(listener);
                listeners = those;
            }
            return event;
        } finally {
            release(1);
        }
    }

    /** Adds a listener for the request to release; if there was one already it is returned, to be told at once. */
    @Nullable
    public ReleaseRequestedEvent addForRequest(Consumer<ReleaseRequestedEvent> listener) {
        acquire(1);
        try {
            if (request == null) {
                List<Consumer<ReleaseRequestedEvent>> those =
                        requestListeners == null ? new ArrayList<>(1) : requestListeners;
                those.add(listener);
                requestListeners = those;
            }
            return event == null && !released ? request : null;
        } finally {
            release(1);
        }
    }

    /** Records the request to release: whom to tell; null if it is known already, or too late. */
    @Nullable
    public List<Consumer<ReleaseRequestedEvent>> request(ReleaseRequestedEvent asked) {
        acquire(1);
        try {
            if (request != null || event != null || released) {
                return null;
            }
            request = asked;
            List<Consumer<ReleaseRequestedEvent>> tell =
                    requestListeners == null ? List.of() : List.copyOf(requestListeners);
            requestListeners = null;
            return tell;
        } finally {
            release(1);
        }
    }

    /**
     * Applies a transition that may lose the lease, and records the loss with it, so that whoever sees the state sees the
     * event too.
     *
     * @return whom to tell, or null if the transition lost nothing
     */
    @Nullable
    public List<Consumer<LossEvent>> lose(BooleanSupplier transition, LossEvent loss) {
        acquire(1);
        try {
            if (!transition.getAsBoolean()) {
                return null;
            }
            event = loss;
            List<Consumer<LossEvent>> tell = listeners == null ? List.of() : List.copyOf(listeners);
            listeners = null;
            return tell;
        } finally {
            release(1);
        }
    }

    /** Interrupts the owner unless it has released meanwhile: no interrupt lands after the lease was closed. */
    public void interrupt(Thread owner) {
        acquire(1);
        try {
            if (!released) {
                owner.interrupt();
            }
        } finally {
            release(1);
        }
    }

    /** Applies the holder's release: from here on no interrupt. */
    public <T> T release(Supplier<T> transition) {
        acquire(1);
        try {
            released = true;
            return transition.get();
        } finally {
            release(1);
        }
    }

    /** The loss, for the first one who releases; null for all others. */
    @Nullable
    public LossEvent tellOnce() {
        acquire(1);
        try {
            LossEvent tell = told ? null : event;
            told = told || event != null;
            return tell;
        } finally {
            release(1);
        }
    }

    @Nullable
    public LossEvent event() {
        acquire(1);
        try {
            return event;
        } finally {
            release(1);
        }
    }

    @Override
    protected boolean tryAcquire(int unused) {
        return compareAndSetState(0, 1);
    }

    @Override
    protected boolean tryRelease(int unused) {
        setState(0);
        return true;
    }
}
