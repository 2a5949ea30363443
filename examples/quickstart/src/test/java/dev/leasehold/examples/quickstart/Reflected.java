package dev.leasehold.examples.quickstart;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Reads internal values of the core that the handbook documents. */
final class Reflected {

    private Reflected() {}

    static Object constant(String className, String field) {
        return value(type(className), null, field);
    }

    static Object field(Object target, String field) {
        return value(target.getClass(), target, field);
    }

    private static Object value(Class<?> type, Object target, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(target);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("the table of defaults documents " + type.getName() + "." + name, e);
        }
    }

    /** Calls a static method. */
    static long number(String className, String name, Object... args) {
        try {
            Method method = Arrays.stream(type(className).getDeclaredMethods())
                    .filter(candidate -> candidate.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
            method.setAccessible(true);
            return ((Number) method.invoke(null, args)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("the table of defaults documents " + className + "." + name, e);
        }
    }

    private static Class<?> type(String className) {
        try {
            return Class.forName("dev.leasehold." + className);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("the table of defaults documents " + className, e);
        }
    }
}
