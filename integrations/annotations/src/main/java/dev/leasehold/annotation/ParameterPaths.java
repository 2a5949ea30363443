package dev.leasehold.annotation;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The expressions that every framework knows: a parameter, and properties from there, as in {@code #order.customer.id}.
 * A property is a getter, a component of a record or a public field; {@code #order.id()} calls a method without
 * arguments. The declared types must have them, so that a mistake fails before the first call.
 */
public final class ParameterPaths implements NameExpressions {

    private static final String IDENTIFIER = "[\\p{L}_$][\\p{L}\\p{N}_$]*";
    private static final Pattern PATH = Pattern.compile("#" + IDENTIFIER + "(\\." + IDENTIFIER + "(\\(\\))?)*");

    /** Creates the expressions. */
    public ParameterPaths() {}

    /** One step from an object to a value of it. */
    private interface Step {
        @Nullable
        Object from(Object target) throws ReflectiveOperationException;
    }

    private record Typed(Class<?> type, Step step) {}

    @Override
    public Parsed parse(String expression, MethodParameters parameters) {
        if (!PATH.matcher(expression).matches()) {
            throw new IllegalArgumentException("#{" + expression
                    + "} is not a path from a parameter. Write it like #{#order}, #{#order.id} or #{#order.id()}");
        }
        String[] words = expression.substring(1).split("\\.", -1);
        int parameter = parameters.indexOf(words[0]);
        if (parameter < 0) {
            throw new IllegalArgumentException(
                    "#{" + expression + "} cannot be evaluated: " + parameters.unknown(words[0]));
        }
        Class<?> type = parameters.types().get(parameter);
        List<Step> steps = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            Typed next = step(type, words[i]);
            if (next == null) {
                throw new IllegalArgumentException("#{" + expression + "} cannot be evaluated: " + type.getName()
                        + " has no public " + (words[i].endsWith(")") ? "method " : "property ") + words[i]);
            }
            steps.add(next.step());
            type = next.type();
        }
        return arguments -> follow(arguments[parameter], steps);
    }

    private static @Nullable Object follow(@Nullable Object from, List<Step> steps) {
        Object value = from;
        for (Step step : steps) {
            if (value == null) {
                return null;
            }
            try {
                value = step.from(value);
            } catch (InvocationTargetException e) {
                throw new IllegalArgumentException(
                        "it threw " + e.getTargetException().getClass().getName(), e.getTargetException());
            } catch (ReflectiveOperationException e) {
                throw new IllegalArgumentException("it cannot be read", e);
            }
        }
        return value;
    }

    private static @Nullable Typed step(Class<?> type, String word) {
        if (word.endsWith("()")) {
            return call(type, word.substring(0, word.length() - 2));
        }
        String capital = word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
        Typed found = call(type, "get" + capital);
        if (found == null) {
            Typed is = call(type, "is" + capital);
            found = is != null && is.type() == boolean.class ? is : null;
        }
        if (found == null && type.isRecord()) {
            found = call(type, word);
        }
        return found == null ? field(type, word) : found;
    }

    private static @Nullable Typed call(Class<?> type, String name) {
        try {
            Method method = type.getMethod(name);
            if (Modifier.isStatic(method.getModifiers())
                    || method.getReturnType() == void.class
                    || !method.trySetAccessible()) {
                return null;
            }
            return new Typed(method.getReturnType(), method::invoke);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static @Nullable Typed field(Class<?> type, String name) {
        try {
            Field field = type.getField(name);
            return Modifier.isStatic(field.getModifiers()) || !field.trySetAccessible()
                    ? null
                    : new Typed(field.getType(), field::get);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }
}
