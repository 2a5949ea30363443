package dev.leasehold.architecture;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes types as a reader of the API sees them: generic, and with nullness. */
final class TypeText {
    private TypeText() {}

    static String of(AnnotatedType type) {
        String nullable = isNullable(type) ? "@Nullable " : "";
        if (type instanceof AnnotatedArrayType array) {
            return of(array.getAnnotatedGenericComponentType()) + (nullable.isEmpty() ? "" : " " + nullable) + "[]";
        }
        if (type instanceof AnnotatedParameterizedType parameterized) {
            Type raw = ((ParameterizedType) parameterized.getType()).getRawType();
            return nullable + name((Class<?>) raw) + "<" + join(parameterized.getAnnotatedActualTypeArguments()) + ">";
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            return wildcard(wildcard);
        }
        return nullable
                + (type.getType() instanceof Class<?> c
                        ? name(c)
                        : type.getType().getTypeName());
    }

    private static String wildcard(AnnotatedWildcardType wildcard) {
        if (wildcard.getAnnotatedLowerBounds().length > 0) {
            return "? super " + of(wildcard.getAnnotatedLowerBounds()[0]);
        }
        String bound = join(wildcard.getAnnotatedUpperBounds());
        return bound.isEmpty() || bound.equals("Object") ? "?" : "? extends " + bound;
    }

    static String join(AnnotatedType[] types) {
        return Arrays.stream(types).map(TypeText::of).collect(Collectors.joining(", "));
    }

    /** Returns the type parameters with their bounds in angle brackets, or nothing. */
    static String parameters(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables)
                .map(variable -> variable.getName() + bounds(variable.getAnnotatedBounds()))
                .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String bounds(AnnotatedType[] bounds) {
        String text = Arrays.stream(bounds).map(TypeText::of).collect(Collectors.joining(" & "));
        return text.equals("Object") || text.isEmpty() ? "" : " extends " + text;
    }

    static String name(Class<?> c) {
        String name = c.getTypeName().replace('$', '.');
        return name.startsWith("java.lang.") && name.lastIndexOf('.') == "java.lang".length()
                ? name.substring("java.lang.".length())
                : name;
    }

    private static boolean isNullable(AnnotatedElement type) {
        return type.isAnnotationPresent(Nullable.class);
    }
}
