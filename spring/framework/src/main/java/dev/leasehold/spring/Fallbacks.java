package dev.leasehold.spring;

import dev.leasehold.LockNotAcquiredException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Methods that are called instead of a method whose lock is busy. */
final class Fallbacks {

    private Fallbacks() {}

    /**
     * Finds the method of a name with the parameters of the locked method, without the lease.
     *
     * @throws IllegalArgumentException if there is no such method
     */
    static Method find(String name, Method method, Class<?> target) {
        List<Class<?>> parameters = new ArrayList<>(Arrays.asList(method.getParameterTypes()));
        int lease = LockedMethod.leaseParameter(method);
        if (lease >= 0) {
            parameters.remove(lease);
        }
        Method plain = ReflectionUtils.findMethod(target, name, parameters.toArray(new Class<?>[0]));
        parameters.add(LockNotAcquiredException.class);
        Method withException = ReflectionUtils.findMethod(target, name, parameters.toArray(new Class<?>[0]));
        Method found = withException != null ? withException : plain;
        if (found == null || found.equals(method)) {
            throw new IllegalArgumentException("fallback '" + name + "' does not exist. Write a method of that name in "
                    + target.getSimpleName() + " with the same parameters, without the lease, and optionally a"
                    + " LockNotAcquiredException after them");
        }
        if (!method.getReturnType().isAssignableFrom(found.getReturnType())) {
            throw new IllegalArgumentException("fallback '" + name + "' returns "
                    + found.getReturnType().getSimpleName() + ". Let it return "
                    + method.getReturnType().getSimpleName());
        }
        ReflectionUtils.makeAccessible(found);
        return found;
    }

    /** Calls a fallback with the arguments of the method that was not called. */
    static @Nullable Object call(
            LockedMethod method,
            Method fallback,
            @Nullable Object bean,
            @Nullable Object[] arguments,
            LockNotAcquiredException busy)
            throws Throwable {
        List<@Nullable Object> given = new ArrayList<>(Arrays.asList(arguments));
        if (method.leaseParameter() >= 0) {
            given.remove(method.leaseParameter());
        }
        if (fallback.getParameterCount() > given.size()) {
            given.add(busy);
        }
        try {
            return fallback.invoke(bean, given.toArray());
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
