package dev.leasehold.annotation;

import dev.leasehold.LockNotAcquiredException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        Method plain = method(target, name, parameters);
        parameters.add(LockNotAcquiredException.class);
        Method withException = method(target, name, parameters);
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
        if (!found.trySetAccessible()) {
            throw new IllegalArgumentException("fallback '" + name
                    + "' is in a module that is not open. Open its package to dev.leasehold.annotation");
        }
        return found;
    }

    /** Finds a method of a class or what it inherits from, in this order; it need not be public. */
    private static @Nullable Method method(Class<?> type, String name, List<Class<?>> parameters) {
        Class<?>[] types = parameters.toArray(new Class<?>[0]);
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method candidate : c.getDeclaredMethods()) {
                if (!candidate.isBridge()
                        && candidate.getName().equals(name)
                        && Arrays.equals(candidate.getParameterTypes(), types)) {
                    return candidate;
                }
            }
        }
        try {
            return type.getMethod(name, types);
        } catch (NoSuchMethodException e) {
            return null;
        }
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
        int lease = LockedMethod.leaseParameter(method.method());
        if (lease >= 0) {
            given.remove(lease);
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
