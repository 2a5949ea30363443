package dev.leasehold.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a method, as the templates of its lock name them. Immutable. */
public final class MethodParameters {

    private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][A-Za-z0-9_$]*)");
    private static final Pattern BY_NUMBER = Pattern.compile("[pa](\\d{1,3})");

    private final List<Class<?>> types;
    private final List<String> names;

    private MethodParameters(List<Class<?>> types, List<String> names) {
        this.types = types;
        this.names = names;
    }

    /**
     * Returns the parameters of a method, with the names in its class file.
     *
     * @param method the method
     * @return its parameters
     */
    public static MethodParameters of(Method method) {
        return of(method, namesInClassFile(method));
    }

    /**
     * Returns the parameters of a method.
     *
     * @param method the method
     * @param names the names of all its parameters, or none if they are unknown
     * @return its parameters
     */
    public static MethodParameters of(Method method, List<String> names) {
        return new MethodParameters(List.of(method.getParameterTypes()), List.copyOf(names));
    }

    static List<String> namesInClassFile(Method method) {
        List<Parameter> parameters = Arrays.asList(method.getParameters());
        return parameters.stream().allMatch(Parameter::isNamePresent)
                ? parameters.stream().map(Parameter::getName).toList()
                : List.of();
    }

    /**
     * Returns the names.
     *
     * @return a name for each parameter, or none if the class was compiled without them
     */
    public List<String> names() {
        return names;
    }

    /**
     * Returns the declared types.
     *
     * @return a type for each parameter
     */
    public List<Class<?>> types() {
        return types;
    }

    /**
     * Finds a parameter.
     *
     * @param variable its name, or {@code p0} or {@code a0} for the first
     * @return its index, or -1 if there is none
     */
    public int indexOf(String variable) {
        int named = names.indexOf(variable);
        if (named >= 0) {
            return named;
        }
        Matcher number = BY_NUMBER.matcher(variable);
        int index = number.matches() ? Integer.parseInt(number.group(1)) : -1;
        return index < types.size() ? index : -1;
    }

    /**
     * Returns the reason why a variable is unknown, and the remedy.
     *
     * @param variable a name for which {@link #indexOf} finds no parameter
     * @return the reason, for a message
     */
    public String unknown(String variable) {
        if (names.isEmpty() && !types.isEmpty()) {
            return "#" + variable
                    + " is unknown, because the class was compiled without the names of parameters. Compile it with"
                    + " -parameters (Maven: maven.compiler.parameters=true), or write #p0 for the first, #p1 for the second";
        }
        return "#" + variable + " is no parameter"
                + (names.isEmpty() ? ": the method has none" : "; there are #" + String.join(", #", names));
    }

    /** Refuses a parameter outside of braces: it would be plain text, and all calls would share one lock. */
    void refuseOutsideOfBraces(String text) {
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            if (indexOf(variable.group(1)) >= 0) {
                throw new IllegalArgumentException("'" + text + "' has " + variable.group()
                        + " outside of braces, where it is text. Write #{" + variable.group() + "}");
            }
        }
    }
}
