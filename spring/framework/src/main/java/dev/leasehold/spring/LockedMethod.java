package dev.leasehold.spring;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of an annotated method.
 *
 * @param shown the method, for messages
 * @param names the name of the lock, or the names of several locks
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
        List<Template> names,
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

    /** Returns the index of the parameter that receives the lease, or -1. */
    static int leaseParameter(Method method) {
        List<Class<?>> types = List.of(method.getParameterTypes());
        int one = types.indexOf(Lease.class);
        return one >= 0 ? one : types.indexOf(MultiLease.class);
    }

    /** The kind of a method's result, which determines when the method has ended. */
    enum Result {
        PLAIN,
        STAGE,
        MONO,
        FLUX
    }
}
