package dev.leasehold.internal.lease;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.BusyEvent;
import dev.leasehold.event.DeadlockEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.FailedEvent;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.HeldLongEvent;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewalFailedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.event.RetainedEvent;
import dev.leasehold.event.RetentionEndedEvent;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.event.WaitEndedEvent;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.event.WaitingEvent;
import dev.leasehold.internal.dispatch.AcquisitionOutages;
import dev.leasehold.internal.dispatch.EventDispatcher;
import dev.leasehold.internal.dispatch.LeaseObserver;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.FailureReasons;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reports what happens to leases: to the listeners of the client, to traces, and to a flight recording. */
public final class LeaseEvents {

    private final EventDispatcher dispatcher;
    private final TimeSource time;
    private final AcquisitionOutages outages;
    private volatile Runnable onWait = () -> {};

    public LeaseEvents(EventDispatcher dispatcher, TimeSource time) {
        this.dispatcher = dispatcher;
        this.time = time;
        this.outages = new AcquisitionOutages(time);
    }

    /** Begins the traces of an acquisition on this thread; null if no tracer wants to follow it. */
    @Nullable
    public TraceDispatcher trace(LockKey lock) {
        return dispatcher.trace(lock);
    }

    /** Begins the traces of an acquisition of several locks; null if no tracer wants to follow it. */
    @Nullable
    public TraceDispatcher trace(List<LockKey> locks) {
        return dispatcher.trace(locks);
    }

    /** Returns why Redis refuses every acquisition now, if it does. */
    public Optional<Finding> refusal() {
        return outages.refusal();
    }

    /** Runs a task on the event executor. */
    public void run(Runnable task) {
        dispatcher.run(task);
    }

    /** Notifies listeners of one lease. */
    public <E> void notifyEach(List<Consumer<E>> listeners, E event) {
        dispatcher.notifyEach(listeners, event);
    }

    /** Sets what is done whenever an acquisition begins to wait for a lock that has a queue; before the first does. */
    public void whenWaiting(Runnable task) {
        onWait = task;
    }

    /** Callers wait for each other, and one of this client for them. */
    public void deadlock(Deadlock deadlock) {
        DeadlockEvent event = new DeadlockEvent(deadlock);
        dispatcher.publish(listener -> listener.deadlock(event));
    }

    /** A candidate of an election begins to wait, which nobody measures: it may take days. */
    public void standing(LockKey key) {
        outages.answered();
        if (key.kind().hasQueue()) {
            onWait.run();
        }
    }

    /** An acquisition begins to wait. */
    public void waiting(Object wait, LockKey key, long holderLeftNanos) {
        standing(key);
        if (dispatcher.hasListeners()) {
            WaitingEvent event = new WaitingEvent(key.name(), Duration.ofNanos(holderLeftNanos));
            dispatcher.start(wait, listener -> listener.waiting(event));
        }
    }

    /** An acquisition has ended its wait, which began at that moment. */
    public void waitEnded(Object wait, LockKey key, long since, WaitOutcome outcome) {
        if (dispatcher.hasListeners()) {
            WaitEndedEvent event = new WaitEndedEvent(key.name(), Duration.ofNanos(time.nanoTime() - since), outcome);
            dispatcher.end(wait, listener -> listener.waitEnded(event));
        }
    }

    /** An acquisition gave up because other clients hold the lock. */
    public void busy(LockKey key, Duration waited, int tries) {
        outages.answered();
        if (dispatcher.hasListeners()) {
            BusyEvent event = new BusyEvent(key.name(), waited, tries);
            dispatcher.publish(listener -> listener.busy(event));
        }
    }

    /** An acquisition failed. */
    public void failed(LockKey key, Duration waited, int tries, FailureReason reason, RuntimeException failure) {
        outages.failed(reason, failure);
        if (dispatcher.hasListeners()) {
            FailedEvent event = new FailedEvent(key.name(), waited, tries, reason, failure);
            dispatcher.publish(listener -> listener.failed(event));
        }
    }

    /** A lease is held. */
    public void acquired(LeaseRecord record, Duration waited, int tries, boolean handedOff) {
        record.reportedHeld();
        if (!handedOff) {
            outages.granted();
        }
        if (dispatcher.hasListeners()) {
            AcquiredEvent event = new AcquiredEvent(
                    record.key().name(),
                    record.owner().name(),
                    record.token(),
                    waited,
                    tries,
                    handedOff,
                    record.leads());
            dispatcher.start(record, listener -> listener.acquired(event));
            if (!record.holding()) {
                // It was lost meanwhile.
                dispatcher.startAfterEnd(record);
            }
            LeaseObserver observer = record.observer();
            if (observer != null) {
                observer.acquired(event);
            }
        }
    }

    /** A lease was renewed. */
    public void renewed(LeaseRecord record, long lagNanos, long validNanos) {
        Flight.renewed(record.key(), lagNanos, validNanos);
        if (dispatcher.hasListeners()) {
            RenewedEvent event = new RenewedEvent(
                    record.key().name(),
                    record.owner().name(),
                    Duration.ofNanos(lagNanos),
                    Duration.ofNanos(validNanos));
            dispatcher.publish(listener -> listener.renewed(event));
        }
    }

    /** A renewal of a lease, which is valid for that long, was not confirmed. */
    public void renewalFailed(LeaseRecord record, Throwable failure, long leftNanos) {
        if (dispatcher.hasListeners()) {
            RenewalFailedEvent event = new RenewalFailedEvent(
                    record.key().name(),
                    record.owner().name(),
                    FailureReasons.of(failure),
                    Duration.ofNanos(Math.max(0, leftNanos)));
            dispatcher.publish(listener -> listener.renewalFailed(event));
        }
    }

    /** A lease has been held for a long time. */
    public void heldLong(LeaseRecord record, Duration held, boolean stops, List<StackTraceElement> stack) {
        HeldLongEvent event =
                new HeldLongEvent(record.key().name(), record.owner().name(), held, stops, stack);
        dispatcher.publish(listener -> listener.heldLong(event));
    }

    /** The release of a lease is requested. Redis reports this at every renewal; its holder is notified once. */
    public void releaseRequested(LeaseRecord record) {
        if (!record.holding()) {
            return;
        }
        ReleaseRequestedEvent request =
                new ReleaseRequestedEvent(record.key().name(), record.owner().name(), record.token());
        List<Consumer<ReleaseRequestedEvent>> listeners = record.notice().request(request);
        if (listeners != null) {
            dispatcher.notifyEach(listeners, request);
            dispatcher.publish(listener -> listener.releaseRequested(request));
        }
    }

    /** A lease was released. */
    public void released(LeaseRecord record, boolean confirmed) {
        record.reportedReleased();
        if (dispatcher.hasListeners()) {
            ReleasedEvent event =
                    new ReleasedEvent(record.key().name(), record.owner().name(), held(record), confirmed);
            dispatcher.end(record, listener -> listener.released(event));
            LeaseObserver observer = record.observer();
            if (observer != null) {
                observer.released(event);
            }
        }
    }

    /** A hold is retained without a lease. */
    public void retained(Object hold, LockKey key) {
        if (dispatcher.hasListeners()) {
            RetainedEvent event = new RetainedEvent(key.name());
            dispatcher.start(hold, listener -> listener.retained(event));
        }
    }

    /** A hold is no longer retained without a lease. */
    public void retentionEnded(Object hold, LockKey key, RetentionOutcome outcome) {
        if (dispatcher.hasListeners()) {
            RetentionEndedEvent event = new RetentionEndedEvent(key.name(), outcome);
            dispatcher.end(hold, listener -> listener.retentionEnded(event));
        }
    }

    /** A lease was closed whose hold another process may resume. */
    public void exported(LeaseRecord record) {
        record.endRecording("EXPORTED");
        if (record.wasReportedHeld() && dispatcher.hasListeners()) {
            ExportedEvent event =
                    new ExportedEvent(record.key().name(), record.owner().name(), held(record));
            dispatcher.end(record, listener -> listener.exported(event));
            LeaseObserver observer = record.observer();
            if (observer != null) {
                observer.exported(event);
            }
        }
    }

    /** A lease was lost: notifies its own listeners, those of the client, and the thread that holds it. */
    public void lost(LeaseRecord record, List<Consumer<LossEvent>> listeners, LossEvent loss) {
        record.endRecording(loss.cause().name());
        Flight.lost(record.key(), record.token(), loss.cause(), loss.held().toNanos());
        dispatcher.notifyEach(listeners, loss);
        dispatcher.loss(record, listener -> listener.lost(loss));
        LeaseObserver observer = record.observer();
        if (observer != null && !loss.afterRelease()) {
            observer.lost(loss);
        }
        Thread owner = record.thread();
        if (owner != null && record.options().interruptOnLoss()) {
            dispatcher.run(() -> record.notice().interrupt(owner));
        }
    }

    private Duration held(LeaseRecord record) {
        return Duration.ofNanos(time.nanoTime() - record.grantedAt());
    }
}
