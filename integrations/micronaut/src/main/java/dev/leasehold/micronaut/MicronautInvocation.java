package dev.leasehold.micronaut;

import dev.leasehold.annotation.LockedInvocation;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.type.MutableArgumentValue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A call that Micronaut has intercepted. */
final class MicronautInvocation implements LockedInvocation {

    private final MethodInterceptor<Object, Object> interceptor;
    private final MethodInvocationContext<Object, Object> context;
    private final @Nullable Object[] arguments;
    /** Guards the context, which several subscriptions of one result share; held while they assemble their results. */
    private final ReentrantLock guard = new ReentrantLock();

    MicronautInvocation(
            MethodInterceptor<Object, Object> interceptor, MethodInvocationContext<Object, Object> context) {
        this.interceptor = interceptor;
        this.context = context;
        this.arguments = context.getParameterValues().clone();
    }

    @Override
    public @Nullable Object target() {
        return context.getTarget();
    }

    @Override
    public @Nullable Object[] arguments() {
        return arguments;
    }

    @Override
    public @Nullable Object proceed(@Nullable Object[] given) {
        guard.lock();
        try {
            int next = 0;
            for (MutableArgumentValue<?> argument : context.getParameters().values()) {
                set(argument, given[next++]);
            }
            return context.proceed(interceptor);
        } finally {
            guard.unlock();
        }
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // A caller may pass null, as for the lease.
    private static void set(MutableArgumentValue<?> argument, @Nullable Object value) {
        if (argument.getValue() != value) {
            ((MutableArgumentValue<Object>) argument).setValue(value);
        }
    }
}
