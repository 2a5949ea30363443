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
 * Delivers the loss of one lease exactly once to each of its listeners, to the thread of its holder as an interrupt, and to the
 * first release. It delivers the request to release the lease once to each listener, too.
 *
 * <p>The notice is itself the lock that guards these deliveries; no listener is called under it. A separate lock would cost two
 * more objects for each of perhaps a hundred thousand leases.
 */
public final class LossNotice extends AbstractQueuedSynchronizer {

    private static final long serialVersionUID = 1;

    /** Null while there are no listeners, which is the common case. */
    private @Nullable List<Consumer<LossEvent>> listeners;

    private @Nullable List<Consumer<ReleaseRequestedEvent>> requestListeners;

    private @Nullable LossEvent event;
    private @Nullable ReleaseRequestedEvent request;
    private boolean released;
    private boolean taken;

    /** Adds a listener; if the lease is lost already, returns the loss instead, of which the caller notifies the listener. */
    @Nullable
    public LossEvent add(Consumer<LossEvent> listener) {
        acquire(1);
        try {
            if (event == null) {
                List<Consumer<LossEvent>> extended = listeners == null ? new ArrayList<>(1) : listeners;
                extended.add(listener);
                listeners = extended;
            }
            return event;
        } finally {
            release(1);
        }
    }

    /** Adds a listener for the request to release; returns an earlier request, of which the caller notifies the listener. */
    @Nullable
    public ReleaseRequestedEvent addForRequest(Consumer<ReleaseRequestedEvent> listener) {
        acquire(1);
        try {
            if (request == null) {
                List<Consumer<ReleaseRequestedEvent>> extended =
                        requestListeners == null ? new ArrayList<>(1) : requestListeners;
                extended.add(listener);
                requestListeners = extended;
            }
            return event == null && !released ? request : null;
        } finally {
            release(1);
        }
    }

    /** Records the request to release; returns the listeners to notify, or null if it is known already, or too late. */
    @Nullable
    public List<Consumer<ReleaseRequestedEvent>> request(ReleaseRequestedEvent newRequest) {
        acquire(1);
        try {
            if (request != null || event != null || released) {
                return null;
            }
            request = newRequest;
            List<Consumer<ReleaseRequestedEvent>> notified =
                    requestListeners == null ? List.of() : List.copyOf(requestListeners);
            requestListeners = null;
            return notified;
        } finally {
            release(1);
        }
    }

    /**
     * Applies a transition that may lose the lease, and records the loss under the same lock: a thread that sees the state LOST
     * then gets the event, too.
     *
     * @return the listeners to notify, or null if the transition did not lose the lease
     */
    @Nullable
    public List<Consumer<LossEvent>> lose(BooleanSupplier transition, LossEvent loss) {
        acquire(1);
        try {
            if (!transition.getAsBoolean()) {
                return null;
            }
            event = loss;
            List<Consumer<LossEvent>> notified = listeners == null ? List.of() : List.copyOf(listeners);
            listeners = null;
            return notified;
        } finally {
            release(1);
        }
    }

    /** Interrupts the holder's thread unless it has released the lease: after the release, no interrupt arrives. */
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

    /** Applies the holder's release: from here on its thread is not interrupted. */
    public <T> T release(Supplier<T> transition) {
        acquire(1);
        try {
            released = true;
            return transition.get();
        } finally {
            release(1);
        }
    }

    /** Returns the loss to the first release after it; null to every other release. */
    @Nullable
    public LossEvent takeForRelease() {
        acquire(1);
        try {
            LossEvent loss = taken ? null : event;
            taken = taken || event != null;
            return loss;
        } finally {
            release(1);
        }
    }

    /** The loss; null if the lease is not lost. */
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
