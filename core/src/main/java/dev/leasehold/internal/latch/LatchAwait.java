package dev.leasehold.internal.latch;

import dev.leasehold.Durability;
import dev.leasehold.WaitStrategy;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.Retry;
import dev.leasehold.internal.request.Step;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.internal.wait.WaitSchedule;
import dev.leasehold.internal.wakeup.WakeListener;
import dev.leasehold.spi.RedisErrorException;
import org.jspecify.annotations.Nullable;

/**
 * One await of a latch, from the call to its end: reached, or not within the time. If Redis does not answer, the outcome is
 * neither, and an exception is thrown.
 */
final class LatchAwait implements Operation<Boolean> {

    /** A shorter timeout would cut off the answer of a healthy Redis. */
    private static final long MIN_TIMEOUT_NANOS = 5_000_000;

    private static final int WOKEN = 0;
    private static final int NOT_WOKEN = 1;

    private final RequestContext context;
    private final WakeListener wakeUps;
    private final LatchWaiters latchWaiters;
    private final LatchKey latch;
    private final WaitLimit limit;
    private final WaitSchedule waiting;
    private final LatchWaiter latchWaiter;

    private int polls;
    private int failures;
    private long failingSince;
    private @Nullable RuntimeException lastFailure;
    private long pauseUntil;
    private long sentAt;
    private boolean sentAsWaiter;
    private @Nullable Boolean done;
    private @Nullable RuntimeException problem;

    LatchAwait(
            RequestContext context, WakeListener wakeUps, LatchWaiters latchWaiters, LatchKey latch, WaitLimit limit) {
        this.context = context;
        this.wakeUps = wakeUps;
        this.latchWaiters = latchWaiters;
        this.latch = latch;
        this.limit = limit;
        this.pauseUntil = context.now();
        this.waiting = new WaitSchedule(WaitStrategy.woken(), limit, pauseUntil, context, 0);
        this.latchWaiter = latchWaiters.join(latch);
    }

    @Override
    public void wakeBy(Runnable wake) {
        latchWaiter.wakeBy(wake);
    }

    @Override
    public Step next() {
        if (latchWaiter.reached) {
            end(true);
        }
        if (done == null && context.closed()) {
            fail(Lifecycle.closedException());
        }
        if (done != null) {
            return Step.OVER;
        }
        long now = context.now();
        if (latchWaiter.takePollRequest()) {
            pauseUntil = now;
        } else if (polls > 0 && failures == 0 && pauseUntil - now <= 0) {
            pauseUntil = waiting.pollAt(pauseUntil, now, latchWaiter.group.sparedUntil());
        }
        boolean late = polls + failures > 0 && now - waiting.deadline() >= 0;
        if (!late && pauseUntil - now > 0) {
            return new Step.Pause(pauseUntil);
        }
        return late ? giveUp() : send(now);
    }

    private Step send(long now) {
        long commandNanos = context.commandNanos();
        long timeout = Math.max(MIN_TIMEOUT_NANOS, Math.min(commandNanos, waiting.deadline() - now));
        boolean waits = limit.kind() != WaitLimit.Kind.ONCE && wakeUps.ensureSubscribed();
        Waiter waiter = waits ? latchWaiter.group.waiter(wakeUps.channelOf(latch.key())) : Waiter.NONE;
        sentAsWaiter = waiter.waits();
        sentAt = now;
        return new Step.Send<>(
                new ReadLatch(latch, waiter, timeout), now, Durability.none(), this::answered, this::answeredLate);
    }

    private void answered(ReadLatch.Answer answer) {
        if (sentAsWaiter) {
            latchWaiters.registered(latchWaiter.group, answer.position(), answer.leftNanos());
            sentAsWaiter = false;
        }
        switch (answer.code()) {
            case REACHED -> {
                latchWaiters.reached(latchWaiter.group, sentAt);
                end(true);
            }
            case COUNTING -> counting(answer.leftNanos());
            case NONE -> fail(LatchMessages.notSet(latch, polls > 0));
            case FOREIGN -> fail(LatchMessages.foreign(latch, answer.found()));
        }
    }

    /** It waits no longer, and may have been given the position of its client. */
    private void answeredLate(ReadLatch.Answer answer) {
        latchWaiters.positioned(latch, answer.position(), answer.leftNanos());
    }

    private void counting(long leftNanos) {
        polls++;
        failures = 0;
        failingSince = 0;
        lastFailure = null;
        if (limit.kind() == WaitLimit.Kind.ONCE) {
            end(false);
            return;
        }
        boolean woken = latchWaiter.group.willBeCalled() && wakeUps.reachesWaiters();
        latchWaiter.group.polled(sentAt, leftNanos, woken);
        pauseUntil = waiting.nextPoll(context.now(), leftNanos, woken ? WOKEN : NOT_WOKEN);
    }

    @Override
    public void failed(RuntimeException failure) {
        if (sentAsWaiter) {
            latchWaiter.group.notRegistered();
            sentAsWaiter = false;
        }
        lastFailure = failure;
        if (failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY) {
            fail(LatchMessages.unavailable(latch, false, failure));
            return;
        }
        long now = context.now();
        failures++;
        failingSince =
                (failingSince == 0 ? sentAt : failingSince) + Retry.stoodStill(now, sentAt, context.commandNanos());
        boolean unlimited = limit.kind() == WaitLimit.Kind.UNLIMITED;
        if (unlimited
                && now - failingSince >= context.limits().outageTolerance().toNanos()) {
            giveUp();
            return;
        }
        pauseUntil = waiting.retryAfterFailure(now, failures);
    }

    private Step giveUp() {
        if (lastFailure != null) {
            fail(LatchMessages.unavailable(latch, false, lastFailure));
        } else {
            end(false);
        }
        return Step.OVER;
    }

    private void fail(RuntimeException failure) {
        problem = failure;
        end(false);
    }

    private void end(boolean reached) {
        if (done == null) {
            done = reached;
            latchWaiters.leave(latchWaiter);
        }
    }

    @Override
    public void abandon(@Nullable RuntimeException reason) {
        if (done == null) {
            if (sentAsWaiter) {
                latchWaiter.group.notRegistered();
            }
            problem = reason;
            end(false);
        }
    }

    @Override
    public Boolean outcome() {
        if (problem != null) {
            throw problem;
        }
        return Boolean.TRUE.equals(done);
    }

    @Override
    public boolean endsWithClient() {
        return true;
    }
}
