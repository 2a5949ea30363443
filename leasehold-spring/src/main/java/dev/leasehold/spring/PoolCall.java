package dev.leasehold.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.util.ClassUtils;

/** A method that runs in a pool while its caller, who has the lock, waits for its end. */
final class PoolCall implements Runnable {

    private static final boolean KNOWS_CONTEXTS =
            ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory", PoolCall.class.getClassLoader());

    private final LockedMethod method;
    private final MethodInvocation invocation;
    private final Hold hold;
    private final List<Frame> frames = Frames.current();
    private final @Nullable Map<String, String> logged = MDC.getCopyOfContextMap();
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ReentrantLock guard = new ReentrantLock();
    /** Under the guard, so that nobody is interrupted who does something else already. */
    private @Nullable Thread runner;

    private boolean interrupted;

    /** Written before the latch goes down, and read after. */
    private @Nullable Object result;

    private @Nullable Throwable thrown;

    private PoolCall(LockedMethod method, MethodInvocation invocation, Hold hold) {
        this.method = method;
        this.invocation = invocation;
        this.hold = hold;
    }

    /** Runs it to its end, also if the caller is interrupted: then the method is, and the lock stays held while it runs. */
    static @Nullable Object run(Executor executor, LockedMethod method, MethodInvocation invocation, Hold hold)
            throws Throwable {
        PoolCall call = new PoolCall(method, invocation, hold);
        executor.execute(KNOWS_CONTEXTS ? new ContextPropagatingTaskDecorator().decorate(call) : call);
        if (method.onLoss() == Lock.OnLoss.INTERRUPT) {
            hold.lease().onLost(event -> call.interrupt());
        }
        call.awaitEnd();
        if (call.thrown != null) {
            throw call.thrown;
        }
        return call.result;
    }

    private void awaitEnd() {
        boolean callerInterrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                callerInterrupted = true;
                interrupt();
            }
        }
        if (callerInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt() {
        guard.lock();
        try {
            interrupted = true;
            if (runner != null) {
                runner.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    @Override
    public void run() {
        begin();
        List<Frame> framesBefore = Frames.current();
        Map<String, String> loggedBefore = MDC.getCopyOfContextMap();
        Frames.set(frames);
        setLogged(logged);
        try {
            LockInterceptor.giveLease(invocation, method, hold.lease());
            // Aspects further inside ask their thread which call it is.
            result = ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
        } catch (Throwable e) {
            thrown = e;
        } finally {
            setLogged(loggedBefore);
            Frames.set(framesBefore);
            end();
            ended.countDown();
        }
    }

    private void begin() {
        guard.lock();
        try {
            runner = Thread.currentThread();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    /** The thread goes back to its pool without an interrupt that was meant for the method. */
    private void end() {
        guard.lock();
        try {
            runner = null;
            if (interrupted) {
                boolean unused = Thread.interrupted();
            }
        } finally {
            guard.unlock();
        }
    }

    private static void setLogged(@Nullable Map<String, String> context) {
        if (context == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(context);
        }
    }
}
