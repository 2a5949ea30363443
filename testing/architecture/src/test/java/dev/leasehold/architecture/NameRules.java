package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A method that asks changes nothing: its reader would not look for the change. */
final class NameRules {
    private static final Pattern ASKS =
            Pattern.compile("(?:is|has|can|may|will|was|were|does|needs|wants|allows)(?:[A-Z]\\w*)?");

    /** As {@code invited()} and {@code pollRequested()}. With a parameter such a name may tell what has happened. */
    private static final Pattern TELLS = Pattern.compile("[a-z]\\w*ed");

    private NameRules() {}

    static List<Rule> all() {
        return List.of(new Rule(
                "questionschangenothing",
                "a method of the core whose name asks writes no field",
                Unit::core,
                (unit, codeBase) -> unit.javaClass().getMethods().stream().flatMap(NameRules::changes)));
    }

    private static Stream<String> changes(JavaMethod method) {
        if (!asks(method)) {
            return Stream.empty();
        }
        return method.getFieldAccesses().stream()
                .filter(access -> access.getAccessType() == AccessType.SET)
                .map(access ->
                        method.getFullName() + " writes " + access.getTarget().getName());
    }

    private static boolean asks(JavaMethod method) {
        String name = method.getName();
        return method.getRawReturnType().isEquivalentTo(boolean.class)
                && (ASKS.matcher(name).matches()
                        || (method.getRawParameterTypes().isEmpty()
                                && TELLS.matcher(name).matches()));
    }
}
