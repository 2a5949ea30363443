package dev.leasehold.annotation;

import dev.leasehold.LockNotAcquiredException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The outcome of a call whose lock is busy. */
final class BusyCall {

    private BusyCall() {}

    /** Returns or throws the outcome. */
    static @Nullable Object outcome(LockedMethod method, LockedInvocation invocation, LockNotAcquiredException busy)
            throws Throwable {
        return switch (method.onBusy()) {
            case THROW -> throw busy;
            case SKIP -> nothing(method);
            case FALLBACK -> {
                Method fallback = method.fallback();
                if (fallback == null) {
                    throw busy;
                }
                yield Fallbacks.call(method, fallback, invocation.target(), invocation.arguments(), busy);
            }
        };
    }

    private static @Nullable Object nothing(LockedMethod method) {
        if (method.resultType() == Optional.class) {
            return Optional.empty();
        }
        return method.result() == LockedMethod.Result.STAGE ? CompletableFuture.completedFuture(null) : null;
    }
}
