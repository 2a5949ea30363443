package dev.leasehold.annotation;

import org.jspecify.annotations.Nullable;

/** The language of the expressions in the names of locks. The common one is {@link ParameterPaths}. */
@FunctionalInterface
public interface NameExpressions {

    /**
     * Parses and checks an expression.
     *
     * @param expression the text between the braces of <code>#{...}</code>, not empty
     * @param parameters the parameters that it may use
     * @return the expression
     * @throws IllegalArgumentException if it is invalid; the message has the reason
     */
    Parsed parse(String expression, MethodParameters parameters);

    /** An expression that was checked. Thread-safe. */
    @FunctionalInterface
    interface Parsed {

        /**
         * Evaluates the expression.
         *
         * @param arguments the arguments of a call
         * @return the value, which may be null
         * @throws IllegalArgumentException if it has none; the message has the reason
         */
        @Nullable
        Object valueFor(@Nullable Object[] arguments);
    }
}
