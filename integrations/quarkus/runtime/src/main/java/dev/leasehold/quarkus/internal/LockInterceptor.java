package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.LockedCalls;
import dev.leasehold.annotation.LockedMethod;
import io.quarkus.arc.Subclass;
import io.quarkus.runtime.BlockingOperationControl;
import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/** Runs methods under their locks, outside of the interceptors of transactions. */
@LockBinding
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE + 100)
public final class LockInterceptor {

    private final LockedMethods methods;
    private final LockedCalls calls;

    LockInterceptor(LockedMethods methods, LockCalls calls) {
        this.methods = methods;
        this.calls = calls.calls();
    }

    @AroundInvoke
    @Nullable
    Object call(InvocationContext context) throws Exception {
        LockedMethod method = methods.of(context.getMethod(), beanClass(context.getTarget()));
        ContextInvocation invocation = new ContextInvocation(context);
        return switch (method.result()) {
            case UNI -> MutinyCalls.uni(calls, method, invocation);
            case MULTI -> MutinyCalls.multi(calls, method, invocation);
            case STAGE ->
                BlockingOperationControl.isBlockingAllowed()
                        ? block(method, invocation)
                        : MutinyCalls.uni(calls, method, invocation).subscribeAsCompletionStage();
            default -> block(method, invocation);
        };
    }

    private @Nullable Object block(LockedMethod method, ContextInvocation invocation) throws Exception {
        if (!BlockingOperationControl.isBlockingAllowed()) {
            throw new IllegalStateException(
                    method.shown() + " would block an event loop while it waits for Redis. Annotate"
                            + " the method that begins the request with @Blocking, or return a Uni");
        }
        try {
            return calls.call(method, invocation);
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(method.shown() + " threw neither an Exception nor an Error", e);
        }
    }

    /** Returns the class of a bean without the subclass that intercepts its methods. */
    private static Class<?> beanClass(Object bean) {
        return bean instanceof Subclass ? bean.getClass().getSuperclass() : bean.getClass();
    }
}
