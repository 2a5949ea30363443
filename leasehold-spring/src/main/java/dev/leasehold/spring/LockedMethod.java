package dev.leasehold.spring;

import dev.leasehold.LockOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an annotation says about a method, checked.
 *
 * @param shown the method, for messages
 * @param waitTime how long to wait; null for without an end
 * @param options null for those of the client
 * @param fallback the method to call if the lock is busy, or null
 * @param executor the name of the bean in which it runs, or null
 * @param leaseParameter where the lease goes among the arguments, or -1
 * @param ownTransaction whether it does not take part in a transaction of its caller
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

    /** What a method gives back, which says when it has ended. */
    enum Result {
        PLAIN,
        STAGE,
        MONO,
        FLUX
    }
}
