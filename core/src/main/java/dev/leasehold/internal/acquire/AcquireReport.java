package dev.leasehold.internal.acquire;

import dev.leasehold.event.WaitOutcome;
import dev.leasehold.internal.dispatch.TraceDispatcher;
import dev.leasehold.internal.jfr.Flight;
import dev.leasehold.internal.jfr.Span;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.request.RequestContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reports one acquisition to listeners, the flight recorder and a tracer. */
final class AcquireReport {

    private final RequestContext context;
    private final LeaseEvents events;
    private final LockKey key;
    private final @Nullable TraceDispatcher trace;
    private final long startedAt;
    private @Nullable Span acquireSpan = Flight.acquisition();
    private @Nullable Span waitSpan;
    private boolean waits;
    private long waitsSince;

    AcquireReport(RequestContext context, LeaseEvents events, LockKey key, @Nullable TraceDispatcher trace, long now) {
        this.context = context;
        this.events = events;
        this.key = key;
        this.trace = trace;
        this.startedAt = now;
    }

    /** The time since the acquisition began. */
    Duration waited() {
        return Duration.ofNanos(context.now() - startedAt);
    }

    /** The acquisition waits from now on, unless it does already. */
    void waits(long now, long holderLeftNanos) {
        if (waits) {
            return;
        }
        waits = true;
        waitsSince = now;
        waitSpan = Flight.waiting();
        events.waiting(this, key, holderLeftNanos);
    }

    /**
     * The acquisition has a lease.
     *
     * @param handedOff whether another lease of this process handed off the lock
     */
    void acquired(LeaseRecord record, int tries, boolean handedOff) {
        end(WaitOutcome.ACQUIRED, record.token(), tries);
        record.observedBy(trace);
        events.acquired(record, waited(), tries, handedOff);
    }

    /** The lock is taken, and the acquisition ends without it. */
    void busy(int tries) {
        notAcquired(WaitOutcome.BUSY, tries, null);
        events.busy(key, waited(), tries);
    }

    /** The acquisition ends without a lease. */
    void notAcquired(WaitOutcome outcome, int tries, @Nullable RuntimeException failure) {
        end(outcome, 0, tries);
        Flight.notAcquired(key, outcome, context.clocks().time(), startedAt, tries, failure);
        if (outcome == WaitOutcome.FAILED) {
            events.failed(key, waited(), tries, context.closed() ? null : failure);
        }
        if (trace != null) {
            trace.notAcquired(outcome, failure);
        }
    }

    private void end(WaitOutcome outcome, long token, int tries) {
        Span waiting = waitSpan;
        Span acquiring = acquireSpan;
        waitSpan = null;
        acquireSpan = null;
        if (waiting != null) {
            waiting.over(key, outcome.name(), token, tries);
        }
        if (acquiring != null) {
            acquiring.over(key, outcome.name(), token, tries);
        }
        if (waits) {
            events.waitEnded(this, key, waitsSince, outcome);
        }
        waits = false;
    }
}
