package dev.leasehold.spring;

import dev.leasehold.LockOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of an annotated method.
 *
 * @param shown the method, for messages
 * @param waitTime the longest time to wait; null for no limit
 * @param options the options of the lock; null for those of the client
 * @param fallback the method to call if the lock is busy, or null
 * @param executor the name of the executor bean that runs the method, or null
 * @param leaseParameter the index of the lease among the arguments, or -1
 * @param ownTransaction whether the method does not take part in a transaction of its caller
 */
record LockedMethod(
        String shown,
        Lock.Kind kind,
        Template name,
        @Nullable Template owner,
        int permits,
        @Nullable Duration waitTime,
        @Nullable LockOptions options,
        Lock.OnBusy onBusy,
        @Nullable Method fallback,
        Lock.OnLoss onLoss,
        Lock.Release release,
        @Nullable String executor,
        int leaseParameter,
        Result result,
        Class<?> resultType,
        boolean declaresInterrupt,
        boolean ownTransaction) {

    /** The kind of a method's result, which determines when the method has ended. */
    enum Result {
        PLAIN,
        STAGE,
        MONO,
        FLUX
    }
}
