package dev.leasehold.annotation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;

/** How a framework reads {@link Lock}; implemented by its adapter. */
public interface LockDialect {

    /**
     * Returns the kinds of results whose end the adapter observes. Methods with others are refused.
     *
     * @return the kinds
     */
    Set<LockedMethod.Result> results();

    /**
     * Returns the names of a method's parameters.
     *
     * @param method the method
     * @return a name for each, or none if they are unknown; by default those in the class file
     */
    default List<String> parameterNames(Method method) {
        return MethodParameters.namesInClassFile(method);
    }

    /**
     * Replaces placeholders, such as <code>${orders.lease}</code>.
     *
     * @param text a text of the annotation, or the part of a name outside of expressions
     * @return the text to use; by default the same
     * @throws IllegalArgumentException if a placeholder has no value
     */
    default String resolve(String text) {
        return text;
    }

    /**
     * Returns the language of the expressions in names.
     *
     * @return the language; by default {@link ParameterPaths}
     */
    default NameExpressions expressions() {
        return new ParameterPaths();
    }

    /**
     * Returns whether {@link CallEnvironment#transactions} knows the transactions of the application. If not,
     * {@link Lock.Release#AFTER_TRANSACTION} is refused.
     *
     * @return false by default
     */
    default boolean knowsTransactions() {
        return false;
    }
}
