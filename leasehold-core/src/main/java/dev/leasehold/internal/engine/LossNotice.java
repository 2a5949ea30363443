package dev.leasehold.internal.engine;

import dev.leasehold.event.LossEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells of the loss of one lease, exactly once each: the listeners, the owner's thread, and whoever releases it. The lock
 * guards the handshake only; nothing foreign is called under it.
 */
final class LossNotice {

    private final ReentrantLock gate = new ReentrantLock();
    /** Null while there are none, as there mostly are. */
    private @Nullable List<Consumer<LossEvent>> listeners;

    private @Nullable LossEvent event;
    private boolean released;
    private boolean told;

    /** Adds a listener; if the lease is lost already it is returned the event, to be told at once. */
    @Nullable
    LossEvent add(Consumer<LossEvent> listener) {
        gate.lock();
        try {
            if (event == null) {
                List<Consumer<LossEvent>> those = listeners == null ? new ArrayList<>(1) : listeners;
                those.add(listener);
                listeners = those;
            }
            return event;
        } finally {
            gate.unlock();
        }
    }

    /**
     * Applies a transition that may lose the lease, and records the loss with it, so that whoever sees the state sees the
     * event too.
     *
     * @return whom to tell, or null if the transition lost nothing
     */
    @Nullable
    List<Consumer<LossEvent>> lose(BooleanSupplier transition, LossEvent loss) {
        gate.lock();
        try {
            if (!transition.getAsBoolean()) {
                return null;
            }
            event = loss;
            List<Consumer<LossEvent>> tell = listeners == null ? List.of() : List.copyOf(listeners);
            listeners = null;
            return tell;
        } finally {
            gate.unlock();
        }
    }

    /** Interrupts the owner unless it has released meanwhile: no interrupt lands after the lease was closed. */
    void interrupt(Thread owner) {
        gate.lock();
        try {
            if (!released) {
                owner.interrupt();
            }
        } finally {
            gate.unlock();
        }
    }

    /** Applies the holder's release: from here on no interrupt. */
    <T> T release(Supplier<T> transition) {
        gate.lock();
        try {
            released = true;
            return transition.get();
        } finally {
            gate.unlock();
        }
    }

    /** The loss, for the first one who releases; null for all others. */
    @Nullable
    LossEvent tellOnce() {
        gate.lock();
        try {
            LossEvent tell = told ? null : event;
            told = told || event != null;
            return tell;
        } finally {
            gate.unlock();
        }
    }

    @Nullable
    LossEvent event() {
        gate.lock();
        try {
            return event;
        } finally {
            gate.unlock();
        }
    }
}
