package dev.leasehold.spring.boot;

/** Thrown while the application starts, if {@code leasehold.console.enabled=true} cannot take effect, or not safely. */
public final class ConsoleSetupException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    ConsoleSetupException(String problem, String remedy) {
        super(problem + " " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    /**
     * Returns the property, and why the console is not served.
     *
     * @return one or more sentences
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns what to change.
     *
     * @return one or more sentences
     */
    public String remedy() {
        return remedy;
    }
}
