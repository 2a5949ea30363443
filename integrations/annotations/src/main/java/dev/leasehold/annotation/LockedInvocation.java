package dev.leasehold.annotation;

import org.jspecify.annotations.Nullable;

/** One call of a method with {@link Lock}, which the framework has intercepted. */
public interface LockedInvocation {

    /**
     * Returns the bean, without its proxy.
     *
     * @return the bean
     */
    @Nullable
    Object target();

    /**
     * Returns the arguments of the caller.
     *
     * @return the arguments, which nobody changes
     */
    @Nullable
    Object[] arguments();

    /**
     * Calls the method, with the interceptors that follow. If its result is reactive, once for each subscription. May be
     * called from another thread than the caller's.
     *
     * @param arguments the arguments, with the lease if the method has a parameter for it
     * @return the result
     * @throws Throwable as the method does
     */
    @Nullable
    Object proceed(@Nullable Object[] arguments) throws Throwable;
}
