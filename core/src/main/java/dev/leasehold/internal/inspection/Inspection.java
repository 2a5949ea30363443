package dev.leasehold.internal.inspection;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.request.CallSender;
import dev.leasehold.internal.request.Exchange;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import java.util.Optional;

/** Reads a lock or a latch, or takes a lock away: one request on the caller's thread, no state. */
public final class Inspection {

    private final RequestContext context;
    private final CallSender calls;

    public Inspection(RequestContext context, CallSender calls) {
        this.context = context;
        this.calls = calls;
    }

    /** Returns the holder of a lock. */
    public Optional<LockInfo> of(LockKey key) {
        return report(key).info();
    }

    /** Returns the holder of a lock; empty also if the key holds something other than a lock of Leasehold. */
    public Optional<LockInfo> findOrSkip(LockKey key) {
        InspectLock.Answer answer = send(new InspectLock(key, context.commandNanos()));
        return switch (answer.code()) {
            case LOCK -> new LockReport(key, answer.state()).info();
            case FOREIGN -> Optional.empty();
        };
    }

    /** Returns the state of a lock; that of a free one if the key holds something else. */
    public InspectLock.State state(LockKey key) {
        return send(new InspectLock(key, context.commandNanos())).state();
    }

    /** Returns the state of a latch; empty if there is none, whatever else the key holds. */
    public Optional<LatchInfo> latch(LockKey key) {
        ReadLatch.Answer answer = send(new ReadLatch(key, Waiter.NONE, context.commandNanos()));
        return switch (answer.code()) {
            case COUNTING ->
                Optional.of(new LatchInfo(key.name(), answer.count(), Duration.ofNanos(answer.leftNanos())));
            case REACHED -> Optional.of(new LatchInfo(key.name(), 0, null));
            case NONE, FOREIGN -> Optional.empty();
        };
    }

    public int liveHolds(LockKey key, OwnerKey owner) {
        LockReport report = report(key);
        return report.ownedBy(owner) ? report.liveHolds() : 0;
    }

    public boolean forceRelease(LockKey key) {
        ForceRelease.Answer answer = send(new ForceRelease(key, context.commandNanos()));
        return switch (answer.code()) {
            case FREED -> true;
            case FREE -> false;
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.detail());
        };
    }

    public int availablePermits(PermitKey key) {
        LockReport report = report(key);
        int says = report.state().permits();
        if (says > 0 && says != key.total() && !report.state().permitsChanged()) {
            throw RefusalMessages.permits(key, says);
        }
        int all = says > 0 ? says : key.total();
        return report.held() && !report.state().heldAsPermits() ? 0 : Math.max(0, all - report.permitsHeld());
    }

    public int changePermits(PermitKey key, int permits) {
        ChangePermits.Answer answer = send(new ChangePermits(key, permits, context.commandNanos()));
        return switch (answer.code()) {
            case CHANGED -> answer.before();
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
        };
    }

    private LockReport report(LockKey key) {
        InspectLock.Answer answer = send(new InspectLock(key, context.commandNanos()));
        return switch (answer.code()) {
            case LOCK -> new LockReport(key, answer.state());
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
        };
    }

    private <A> A send(LockRequest<A> request) {
        Exchange<A> exchange = calls.run(request, context.now(), true);
        A answer = exchange.answer();
        if (answer != null) {
            return answer;
        }
        throw unavailable(request.key(), exchange.problem());
    }

    /** The exception for a request that got no answer, or an error. */
    public static RuntimeException unavailable(LockKey key, RuntimeException problem) {
        if (problem instanceof RedisErrorException error) {
            return RefusalMessages.refused(key, error, false);
        }
        return new LockUnavailableException(
                key.name(),
                false,
                "Redis gave no answer about lock " + key.shown() + ": " + RequestFailures.reason(problem)
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }
}
