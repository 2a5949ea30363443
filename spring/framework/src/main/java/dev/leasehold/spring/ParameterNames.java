package dev.leasehold.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/** The names by which templates may use the parameters of a method. */
final class ParameterNames {

    private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();
    private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][A-Za-z0-9_$]*)");
    private static final Pattern BY_NUMBER = Pattern.compile("[pa](\\d{1,3})");

    private final int count;
    private final List<String> names;

    private ParameterNames(int count, List<String> names) {
        this.count = count;
        this.names = names;
    }

    static ParameterNames of(Method method) {
        String[] found = DISCOVERER.getParameterNames(method);
        List<String> names = found == null || Arrays.asList(found).contains(null) ? List.of() : List.of(found);
        return new ParameterNames(method.getParameterCount(), names);
    }

    /** Returns the names, or none if the class was compiled without them. */
    List<String> all() {
        return names;
    }

    boolean has(String variable) {
        Matcher number = BY_NUMBER.matcher(variable);
        return names.contains(variable) || (number.matches() && Integer.parseInt(number.group(1)) < count);
    }

    /** Returns the reason why a variable is unknown, and the remedy. */
    String unknown(String variable) {
        if (names.isEmpty() && count > 0) {
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
            if (has(variable.group(1))) {
                throw new IllegalArgumentException("'" + text + "' has " + variable.group()
                        + " outside of braces, where it is text. Write #{" + variable.group() + "}");
            }
        }
    }
}
