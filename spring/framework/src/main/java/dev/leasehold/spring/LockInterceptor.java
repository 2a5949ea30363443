package dev.leasehold.spring;

import dev.leasehold.annotation.LockedCalls;
import dev.leasehold.annotation.LockedMethod;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;

/** Runs methods under their locks. */
final class LockInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final LockedCalls calls;

    LockInterceptor(BeanFactory beans) {
        this.methods = new LockedMethods(beans);
        this.calls = new LockedCalls(new SpringCalls(beans));
    }

    LockedMethods methods() {
        return methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = invocation.getThis();
        Class<?> target = bean == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
        LockedMethod method = methods.of(invocation.getMethod(), target);
        return calls.call(method, new SpringInvocation(method, invocation));
    }
}
