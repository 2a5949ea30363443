package dev.leasehold.internal.acquire;

import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.request.FailureReasons;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.RequestContext;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports the end of a call that acquired nothing: once, however many locks it was for. */
final class EndReport {

    private final RequestContext context;
    private final LeaseEvents events;
    private final @Nullable TraceDispatcher trace;
    private final long startedAt;

    EndReport(RequestContext context, LeaseEvents events, @Nullable TraceDispatcher trace, long startedAt) {
        this.context = context;
        this.events = events;
        this.trace = trace;
        this.startedAt = startedAt;
    }

    /** The time since the call began. */
    Duration waited() {
        return Duration.ofNanos(context.now() - startedAt);
    }

    /**
     * The call has ended without a lease.
     *
     * @param key the lock for which it ended
     * @param failure what the caller gets; null if it was busy or abandoned
     */
    void notAcquired(LockKey key, WaitOutcome outcome, int tries, @Nullable RuntimeException failure) {
        Flight.notAcquired(key, outcome, context.clocks().time(), startedAt, tries, failure);
        if (outcome == WaitOutcome.BUSY) {
            events.busy(key, waited(), tries);
        } else if (outcome == WaitOutcome.FAILED) {
            failed(key, tries, failure);
        }
        if (trace != null) {
            trace.notAcquired(outcome, failure);
        }
    }

    private void failed(LockKey key, int tries, @Nullable RuntimeException failure) {
        if (context.closed()) {
            events.failed(key, waited(), tries, FailureReason.CLOSED, Lifecycle.closedException());
        } else if (!(failure instanceof LeaseNotResumableException)) {
            // Redis answered, as it should, that there is no such lease: that is no failure.
            RuntimeException known = Objects.requireNonNull(failure);
            events.failed(key, waited(), tries, FailureReasons.of(known), known);
        }
    }
}
