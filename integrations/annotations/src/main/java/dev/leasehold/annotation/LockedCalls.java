package dev.leasehold.annotation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs methods under their locks; what the interceptor of each framework delegates to. Thread-safe. */
public final class LockedCalls {

    private final CallEnvironment environment;
    private final LockAcquirer acquirer;
    private final BlockingCalls blocking;

    /**
     * Creates calls.
     *
     * @param environment what they use of the application
     */
    public LockedCalls(CallEnvironment environment) {
        this.environment = environment;
        this.acquirer = new LockAcquirer(environment);
        this.blocking = new BlockingCalls(acquirer, environment);
    }

    /**
     * Runs a method under its locks. For a {@code Mono} or {@code Flux}, each subscription of the result does.
     *
     * @param method the settings of the method
     * @param invocation the call
     * @return the result for the caller
     * @throws Throwable as the method does, and as {@link Lock} says
     */
    public @Nullable Object call(LockedMethod method, LockedInvocation invocation) throws Throwable {
        return switch (method.result()) {
            case PLAIN, STAGE -> blocking.call(method, invocation);
            case MONO, FLUX -> ReactiveCalls.call(this, environment.reactorTransactions(), method, invocation);
            case UNI, MULTI ->
                throw new IllegalStateException(
                        method.shown() + " is run by LockedCalls.attempt, as only the adapter knows its result");
        };
    }

    /**
     * Begins a call that blocks no thread: one subscription of a reactive result.
     *
     * @param method the settings of the method
     * @param invocation the call
     * @param outer the calls around it, whose locks it may join
     * @return the call, which has sent nothing yet
     */
    public HoldAttempt attempt(LockedMethod method, LockedInvocation invocation, List<Frame> outer) {
        return attempt(method, invocation, outer, () -> {});
    }

    /** As {@link #attempt(LockedMethod, LockedInvocation, List)}; the check throws if the call must not acquire a lock of its own. */
    HoldAttempt attempt(LockedMethod method, LockedInvocation invocation, List<Frame> outer, Runnable check) {
        return new HoldAttempt(acquirer, method, invocation, outer, check);
    }
}
