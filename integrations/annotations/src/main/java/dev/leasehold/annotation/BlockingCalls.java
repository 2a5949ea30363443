package dev.leasehold.annotation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls whose caller blocks for the lock, and then for the method or until the method returns its
 * {@link CompletionStage}.
 */
final class BlockingCalls {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.annotation");

    private final LockAcquirer acquirer;
    private final CallEnvironment environment;

    BlockingCalls(LockAcquirer acquirer, CallEnvironment environment) {
        this.acquirer = acquirer;
        this.environment = environment;
    }

    @Nullable
    Object call(LockedMethod method, LockedInvocation invocation) throws Throwable {
        RequestedLocks wanted = RequestedLocks.of(method, invocation.arguments());
        Hold hold = Hold.join(Frames.current(), method, wanted);
        boolean joined = hold != null;
        boolean deferred = false;
        if (hold == null) {
            deferred = environment.transactions().outlive(method);
            try {
                hold = acquirer.acquire(method, wanted);
            } catch (LockNotAcquiredException busy) {
                return BusyCall.outcome(method, invocation, busy);
            }
        }
        Frame frame = new Frame(hold);
        Frames.push(frame);
        if (deferred) {
            return callInTransaction(method, invocation, frame);
        }
        return method.result() == LockedMethod.Result.STAGE
                ? callForStage(method, invocation, frame)
                : callForResult(method, invocation, frame, joined);
    }

    /**
     * The end of the transaction removes the frame and releases the lock; until then, calls that need the lock join.
     */
    private @Nullable Object callInTransaction(LockedMethod method, LockedInvocation invocation, Frame frame)
            throws Throwable {
        Lease lease = frame.hold().lease();
        environment.transactions().atEnd(method, lease::ensureHeld, () -> endWithTransaction(method, frame));
        Object result = proceed(invocation, method, lease);
        lease.ensureHeld();
        return result;
    }

    private static void endWithTransaction(LockedMethod method, Frame frame) {
        Frames.remove(frame);
        try {
            frame.hold().leave();
        } catch (RuntimeException e) {
            // The caller can no longer receive the exception.
            LOG.warn("the lock of {} was not released with its transaction", method.shown(), e);
        }
    }

    private static @Nullable Object proceed(LockedInvocation invocation, LockedMethod method, Lease lease)
            throws Throwable {
        return invocation.proceed(method.withLease(invocation.arguments(), lease));
    }

    private @Nullable Object callForResult(
            LockedMethod method, LockedInvocation invocation, Frame frame, boolean joined) throws Throwable {
        Object result;
        try {
            result = run(method, invocation, frame.hold(), joined);
        } catch (Throwable e) {
            Frames.remove(frame);
            throw endAfter(e, method, frame.hold());
        }
        Frames.remove(frame);
        try {
            frame.hold().leave();
        } catch (LeaseLostException e) {
            forgetInterrupt(method);
            throw e;
        }
        return result;
    }

    private @Nullable Object run(LockedMethod method, LockedInvocation invocation, Hold hold, boolean joined)
            throws Throwable {
        String executor = method.executor();
        if (executor == null || joined) {
            return proceed(invocation, method, hold.lease());
        }
        return PoolCall.run(environment.executor(executor), method, invocation, hold);
    }

    private static CompletionStage<?> stageOf(Object result) {
        return (CompletionStage<?>) result;
    }

    /** Calls a method with a stage. The caller receives the stage, including its failure. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static @Nullable Object callForStage(LockedMethod method, LockedInvocation invocation, Frame frame)
            throws Throwable {
        Object result;
        try {
            result = proceed(invocation, method, frame.hold().lease());
        } catch (Throwable e) {
            Frames.remove(frame);
            throw endAfter(e, method, frame.hold());
        }
        Frames.remove(frame);
        if (result == null) {
            frame.hold().leave();
            return null;
        }
        return StageCall.holdUntilDone(method, stageOf(result), frame.hold());
    }

    /**
     * Returns what the caller of a method that threw receives: a loss never hides the exception, unless the loss caused
     * it.
     */
    private static Throwable endAfter(Throwable thrown, LockedMethod method, Hold hold) {
        try {
            hold.leave();
        } catch (LeaseLostException lost) {
            forgetInterrupt(method);
            boolean causedByLoss = thrown == lost
                    || (method.onLoss() == Lock.OnLoss.INTERRUPT && thrown instanceof InterruptedException);
            if (causedByLoss) {
                if (thrown != lost) {
                    lost.addSuppressed(thrown);
                }
                return lost;
            }
            thrown.addSuppressed(lost);
        } catch (RuntimeException e) {
            thrown.addSuppressed(e);
        }
        return thrown;
    }

    /**
     * Clears the interrupt: the exception reports the loss, and the interrupt must not hit the thread's next action.
     */
    private static void forgetInterrupt(LockedMethod method) {
        if (method.onLoss() == Lock.OnLoss.INTERRUPT && method.executor() == null) {
            boolean unused = Thread.interrupted();
        }
    }
}
