package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.LockedInvocation;
import jakarta.interceptor.InvocationContext;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A call that the interceptor received. */
final class ContextInvocation implements LockedInvocation {

    private final InvocationContext context;
    private final @Nullable Object[] arguments;

    /** Two subscriptions of one result each set their lease as an argument. */
    private final ReentrantLock settingArguments = new ReentrantLock();

    ContextInvocation(InvocationContext context) {
        this.context = context;
        this.arguments = context.getParameters();
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
    public @Nullable Object proceed(@Nullable Object[] given) throws Throwable {
        if (given == arguments) {
            return context.proceed();
        }
        settingArguments.lock();
        try {
            context.setParameters(given);
            return context.proceed();
        } finally {
            settingArguments.unlock();
        }
    }
}
