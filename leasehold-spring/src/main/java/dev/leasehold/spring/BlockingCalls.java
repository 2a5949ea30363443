package dev.leasehold.spring;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

/** Calls whose caller waits for the lock, and for the method or at least for its {@link CompletionStage}. */
final class BlockingCalls {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            BlockingCalls.class.getClassLoader());

    private final LockTaker taker;
    private final BeanFactory beans;

    BlockingCalls(LockTaker taker, BeanFactory beans) {
        this.taker = taker;
        this.beans = beans;
    }

    @Nullable
    Object call(LockedMethod method, MethodInvocation invocation) throws Throwable {
        String name = method.name().of(invocation.getArguments());
        Template ownerTemplate = method.owner();
        String owner = ownerTemplate == null ? null : ownerTemplate.of(invocation.getArguments());
        Hold hold = Hold.join(Frames.current(), method, name, owner);
        boolean joined = hold != null;
        boolean deferred = false;
        if (hold == null) {
            deferred = TRANSACTIONS && Transactions.endsLater(method);
            try {
                hold = taker.take(method, name, owner);
            } catch (LockNotAcquiredException busy) {
                return LockInterceptor.busy(method, invocation, busy);
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

    /** The end of the transaction removes the frame and releases the lock; until then calls that need it join. */
    private static @Nullable Object callInTransaction(LockedMethod method, MethodInvocation invocation, Frame frame)
            throws Throwable {
        Transactions.releaseAtEnd(method, frame);
        Object result = LockInterceptor.proceed(invocation, method, frame.hold().lease());
        frame.hold().lease().ensureHeld();
        return result;
    }

    private @Nullable Object callForResult(
            LockedMethod method, MethodInvocation invocation, Frame frame, boolean joined) throws Throwable {
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

    private @Nullable Object run(LockedMethod method, MethodInvocation invocation, Hold hold, boolean joined)
            throws Throwable {
        String executor = method.executor();
        if (executor == null || joined) {
            return LockInterceptor.proceed(invocation, method, hold.lease());
        }
        return PoolCall.run(beans.getBean(executor, Executor.class), method, invocation, hold);
    }

    private static CompletionStage<?> stageOf(Object result) {
        return (CompletionStage<?>) result;
    }

    /** The caller has the stage, and what becomes of it. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static @Nullable Object callForStage(LockedMethod method, MethodInvocation invocation, Frame frame)
            throws Throwable {
        Object result;
        try {
            result = LockInterceptor.proceed(invocation, method, frame.hold().lease());
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

    /** What the caller gets of a method that threw. The loss of the lease never hides it, unless it came of the loss. */
    private static Throwable endAfter(Throwable thrown, LockedMethod method, Hold hold) {
        try {
            hold.leave();
        } catch (LeaseLostException lost) {
            forgetInterrupt(method);
            boolean ofLoss = thrown == lost
                    || (method.onLoss() == Lock.OnLoss.INTERRUPT && thrown instanceof InterruptedException);
            if (ofLoss) {
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

    /** The exception tells what the interrupt was for; whatever the thread does next is not meant. */
    private static void forgetInterrupt(LockedMethod method) {
        if (method.onLoss() == Lock.OnLoss.INTERRUPT && method.executor() == null) {
            boolean unused = Thread.interrupted();
        }
    }
}
