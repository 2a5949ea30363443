package dev.leasehold.spring;

import java.util.List;

/** Uses of {@link Lock} that cannot work. Thrown while the application starts, or when a bean of another scope is made. */
public final class LockSetupException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    LockSetupException(List<String> problems) {
        super("@Lock cannot work as it is used:\n- " + String.join("\n- ", problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * What is wrong: each names the method, the reason and the remedy.
     *
     * @return at least one
     */
    public List<String> problems() {
        return problems;
    }
}
