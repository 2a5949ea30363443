package dev.leasehold.annotation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** A method that runs in a pool while its caller holds the lock and waits for the end of the method. */
final class PoolCall implements Runnable {

    private final LockedMethod method;
    private final LockedInvocation invocation;
    private final Hold hold;
    private final List<Frame> frames = Frames.current();
    private final @Nullable Map<String, String> logged = MDC.getCopyOfContextMap();
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ReentrantLock guard = new ReentrantLock();
    /** Guarded by {@code guard}, so that a thread that has finished the call is never interrupted. */
    private @Nullable Thread runner;

    private boolean interrupted;

    /** Written before the latch is counted down, and read afterwards. */
    private @Nullable Object result;

    private @Nullable Throwable thrown;

    private PoolCall(LockedMethod method, LockedInvocation invocation, Hold hold) {
        this.method = method;
        this.invocation = invocation;
        this.hold = hold;
    }

    /**
     * Runs the method to its end. An interrupt of the caller is passed on, and the lock stays held while the method
     * runs.
     */
    static @Nullable Object run(Executor executor, LockedMethod method, LockedInvocation invocation, Hold hold)
            throws Throwable {
        PoolCall call = new PoolCall(method, invocation, hold);
        executor.execute(call);
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
            result = invocation.proceed(method.withLease(invocation.arguments(), hold.lease()));
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

    /** Clears an interrupt that was meant for the method before the thread returns to its pool. */
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
