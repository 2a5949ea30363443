package dev.leasehold.micronaut;

import dev.leasehold.annotation.LockedCalls;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.BeanContext;
import org.jspecify.annotations.Nullable;

/** Runs methods under their locks: inside of {@code @Async}, whose thread takes the lock, and outside of transactions. */
@InterceptorBean(LockAdvice.class)
final class LockInterceptor implements MethodInterceptor<Object, Object> {

    private static final int BETWEEN_ASYNC_AND_TRANSACTION = InterceptPhase.TRANSACTION.getPosition() - 10;

    private final LockedMethods methods;
    private final LockedCalls calls;

    LockInterceptor(LockedMethods methods, BeanContext beans) {
        this.methods = methods;
        this.calls = new LockedCalls(new MicronautCalls(beans));
    }

    @Override
    public int getOrder() {
        return BETWEEN_ASYNC_AND_TRANSACTION;
    }

    @Override
    public @Nullable Object intercept(MethodInvocationContext<Object, Object> context) {
        if (LockedMethods.isAdapter(context.getExecutableMethod())) {
            return context.proceed();
        }
        try {
            return calls.call(methods.of(context.getExecutableMethod()), new MicronautInvocation(this, context));
        } catch (Throwable e) {
            throw LockInterceptor.<RuntimeException>unchecked(e);
        }
    }

    /** Lets a checked exception pass, which the intercepted method declares. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
