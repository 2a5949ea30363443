package dev.leasehold.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one call needs: a lock, or several locks together.
 *
 * @param names the names of the locks, each once, in the order of the annotation
 * @param owner the named owner of a single lock, or null
 */
record RequestedLocks(List<String> names, @Nullable String owner) {

    /**
     * Returns the locks for the arguments of a call.
     *
     * @throws IllegalArgumentException if a template has no result for them, or two templates have the same; the message
     *     names the templates, and does not contain the arguments
     */
    static RequestedLocks of(LockedMethod method, @Nullable Object[] arguments) {
        List<String> names = new ArrayList<>();
        for (Template template : method.names()) {
            String name = template.of(arguments);
            int same = names.indexOf(name);
            if (same >= 0) {
                throw new IllegalArgumentException(method.shown() + " would acquire one lock twice: '"
                        + method.names().get(same) + "' and '" + template
                        + "' are the same name, and the second would wait for the first. Refuse the call earlier");
            }
            names.add(name);
        }
        Template owner = method.owner();
        return new RequestedLocks(List.copyOf(names), owner == null ? null : owner.of(arguments));
    }

    boolean several() {
        return names.size() > 1;
    }

    /** Returns the locks for a message: names without control characters, and truncated. */
    String shown() {
        return names.stream()
                .map(RequestedLocks::quoted)
                .collect(Collectors.joining(", ", several() ? "locks " : "lock ", ""));
    }

    private static String quoted(String name) {
        StringBuilder shown = new StringBuilder("'");
        name.chars().limit(100).forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
        return shown.append(name.length() > 100 ? "...'" : "'").toString();
    }
}
