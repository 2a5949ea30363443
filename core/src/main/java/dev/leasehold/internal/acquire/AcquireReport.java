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

    private final LeaseEvents events;
    private final LockKey key;
    private final boolean candidate;
    private final @Nullable TraceDispatcher trace;
    private final EndReport ends;
    private final boolean part;
    private @Nullable Span acquireSpan = Flight.acquisition();
    private @Nullable Span waitSpan;
    private boolean waits;
    private long waitsSince;

    AcquireReport(RequestContext context, LeaseEvents events, AcquireRequest request, long now) {
        this.events = events;
        this.key = request.key();
        this.candidate = request.candidate();
        this.trace = request.trace();
        this.part = request.part();
        this.ends = new EndReport(context, events, trace, now);
    }

    /** The time since the acquisition began. */
    Duration waited() {
        return ends.waited();
    }

    /** The acquisition waits from now on, unless it does already. */
    void waits(long now, long holderLeftNanos) {
        if (waits) {
            return;
        }
        waits = true;
        if (candidate) {
            events.standing(key);
            return;
        }
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

    /** The acquisition ends without a lease. */
    void notAcquired(WaitOutcome outcome, int tries, @Nullable RuntimeException failure) {
        end(outcome, 0, tries);
        if (!part) {
            ends.notAcquired(key, outcome, tries, failure);
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
        if (waits && !candidate) {
            events.waitEnded(this, key, waitsSince, outcome);
        }
        waits = false;
    }
}
