package dev.leasehold.annotation;

import java.util.List;

/** Thrown for invalid uses of {@link Lock}, while the application starts or when a bean of another scope is created. */
public final class LockSetupException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /**
     * Creates the exception.
     *
     * @param problems the problems, at least one; each names the method, the reason and the remedy
     */
    public LockSetupException(List<String> problems) {
        super("Invalid uses of @Lock:\n- " + String.join("\n- ", problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * Returns the problems; each names the method, the reason and the remedy.
     *
     * @return the problems, at least one
     */
    public List<String> problems() {
        return problems;
    }
}
