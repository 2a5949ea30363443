package dev.leasehold.spring;

import dev.leasehold.Lease;
import dev.leasehold.LockNotAcquiredException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;

/** Runs methods under their locks. */
final class LockInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final LockAcquirer acquirer;
    private final BlockingCalls blocking;

    LockInterceptor(BeanFactory beans) {
        this.methods = new LockedMethods(beans);
        this.acquirer = new LockAcquirer(beans);
        this.blocking = new BlockingCalls(acquirer, beans);
    }

    LockedMethods methods() {
        return methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = invocation.getThis();
        Class<?> target = bean == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
        LockedMethod method = methods.of(invocation.getMethod(), target);
        return switch (method.result()) {
            case PLAIN, STAGE -> blocking.call(method, invocation);
            case MONO, FLUX -> ReactiveCalls.call(acquirer, method, (ProxyMethodInvocation) invocation);
        };
    }

    /** Calls the method with its lease. */
    static @Nullable Object proceed(MethodInvocation invocation, LockedMethod method, Lease lease) throws Throwable {
        giveLease(invocation, method, lease);
        return invocation.proceed();
    }

    static void giveLease(MethodInvocation invocation, LockedMethod method, Lease lease) {
        if (method.leaseParameter() >= 0 && invocation instanceof ProxyMethodInvocation proxied) {
            Object[] arguments = invocation.getArguments().clone();
            arguments[method.leaseParameter()] = lease;
            proxied.setArguments(arguments);
        }
    }

    /** Returns or throws the outcome of a call whose lock is busy. */
    static @Nullable Object busy(LockedMethod method, MethodInvocation invocation, LockNotAcquiredException busy)
            throws Throwable {
        return switch (method.onBusy()) {
            case THROW -> throw busy;
            case SKIP -> nothing(method);
            case FALLBACK -> {
                Method fallback = method.fallback();
                if (fallback == null) {
                    throw busy;
                }
                yield Fallbacks.call(method, fallback, invocation.getThis(), invocation.getArguments(), busy);
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
