package dev.leasehold.internal.release;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import org.jspecify.annotations.Nullable;

/**
 * Releases the hold of a lease that was taken away from its holder. The outcome is whether Redis confirmed it; without an answer
 * within the command timeout the release is repeated in the background.
 */
final class Revocation implements Operation<Boolean> {

    private final RequestContext context;
    private final LeaseTermination termination;
    private final LeaseRecord record;
    private final long deadline;
    private int tries;
    private long pauseUntil;
    private boolean over;
    private boolean confirmed;

    Revocation(RequestContext context, LeaseTermination termination, LeaseRecord record) {
        this.context = context;
        this.termination = termination;
        this.record = record;
        this.deadline = context.now() + context.commandNanos();
        // A client that is being closed waits for it.
        context.unanswered().add(this);
    }

    @Override
    public Step next() {
        long now = context.now();
        if (over) {
            return Step.OVER;
        }
        if (tries > 0 && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        if (tries == Retry.TRIES || deadline - now <= 0) {
            leave();
            return Step.OVER;
        }
        tries++;
        return new Step.Send<>(ReleaseOperation.request(record, deadline - now), now, this::answered);
    }

    private void answered(ReleaseHold.Answer answer) {
        confirmed = true;
        if (record.sent().copiesUntil().micros() >= answer.now().micros()) {
            // A late copy of the acquire may still be granted.
            termination.compensate(record, ServerTime.NONE);
        }
        end();
    }

    @Override
    public void failed(RuntimeException failure) {
        long now = context.now();
        pauseUntil = now + Retry.pause(tries, deadline - now);
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (!over) {
            leave();
        }
    }

    private void leave() {
        termination.compensate(record, ServerTime.NONE);
        end();
    }

    private void end() {
        over = true;
        context.unanswered().remove(this);
    }

    @Override
    public Boolean outcome() {
        return confirmed;
    }

    @Override
    public boolean endsWithClient() {
        return false;
    }
}
