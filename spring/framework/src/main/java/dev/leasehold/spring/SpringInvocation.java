package dev.leasehold.spring;

import dev.leasehold.annotation.LockedInvocation;
import dev.leasehold.annotation.LockedMethod;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/** A call that a proxy has intercepted. */
final class SpringInvocation implements LockedInvocation {

    private final MethodInvocation invocation;
    private final @Nullable Object[] arguments;
    private final boolean repeated;
    private final Thread caller = Thread.currentThread();

    SpringInvocation(LockedMethod method, MethodInvocation invocation) {
        this.invocation = invocation;
        this.arguments = invocation.getArguments();
        this.repeated = method.result() == LockedMethod.Result.MONO || method.result() == LockedMethod.Result.FLUX;
    }

    @Override
    public @Nullable Object target() {
        return invocation.getThis();
    }

    @Override
    public @Nullable Object[] arguments() {
        return arguments;
    }

    @Override
    public @Nullable Object proceed(@Nullable Object[] given) throws Throwable {
        MethodInvocation next = withArguments(given);
        // Aspects further inside read the current invocation from their thread.
        return repeated || Thread.currentThread() != caller
                ? ExposeInvocationInterceptor.INSTANCE.invoke(next)
                : next.proceed();
    }

    private MethodInvocation withArguments(@Nullable Object[] given) {
        if (!(invocation instanceof ProxyMethodInvocation proxied)) {
            return invocation;
        }
        if (repeated) {
            // A clone, as each subscription calls the method again.
            return proxied.invocableClone(given.clone());
        }
        if (given != arguments) {
            proxied.setArguments(given);
        }
        return proxied;
    }
}
