package dev.leasehold.simulation.history;

/** Judges a history by all rules. */
public final class Checker {

    private Checker() {}

    /**
     * Judges.
     *
     * @param commandNanos the command time-out of the clients
     * @param retentionNanos how long keys outlive their last use
     */
    public static Verdict check(History history, long commandNanos, long retentionNanos) {
        Verdict verdict = new Verdict();
        Unpromised unpromised = new Unpromised(history, retentionNanos);
        new ExclusionRule(history, unpromised, verdict).check();
        new UseRule(history, unpromised, verdict).check();
        new LossRule(history, verdict).check();
        new TokenRule(history, unpromised, verdict).check();
        new ResourceRule(history, unpromised, verdict).check();
        new OnceRule(history, unpromised, verdict).check();
        new LivenessRule(history, verdict).check();
        new WaitRule(history, verdict).check();
        new UnknownRule(history, verdict, commandNanos).check();
        return verdict;
    }
}
