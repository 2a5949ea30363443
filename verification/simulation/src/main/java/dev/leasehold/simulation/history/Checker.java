package dev.leasehold.simulation.history;

/** Judges a history by all rules. */
public final class Checker {

    private Checker() {}

    /** Checks a history by all rules. */
    public static Verdict check(History history, Setting setting) {
        Verdict verdict = new Verdict();
        Unpromised unpromised = new Unpromised(history, setting);
        new ExclusionRule(history, unpromised, verdict).check();
        new UseRule(history, unpromised, verdict).check();
        new LossRule(history, setting, unpromised, verdict).check();
        new ResourceRule(history, unpromised, verdict).check();
        new LivenessRule(history, verdict).check();
        new WaitRule(history, verdict).check();
        if (setting.servers() > 1) {
            new QuorumTokenRule(history, verdict).check();
            new MajorityRule(history, setting, verdict).check();
        } else {
            checkOneServer(history, setting, unpromised, verdict);
        }
        return verdict;
    }

    private static void checkOneServer(History history, Setting setting, Unpromised unpromised, Verdict verdict) {
        TokenRule tokens = new TokenRule(history, unpromised, verdict);
        tokens.check();
        new ReaderTokenRule(history, unpromised, tokens, verdict).check();
        new OnceRule(history, unpromised, verdict).check();
        new StrandedRule(history, verdict).check();
        new TurnRule(history, verdict).check();
        new ReservationRule(history, verdict).check();
        new WriterRule(history, verdict).check();
        new UnknownRule(history, verdict, setting.commandNanos()).check();
        new LatchRule(history, verdict).check();
        new LeaderRule(history, verdict).check();
        new ResumeRule(history, unpromised, verdict).check();
        new RequestRule(history, verdict).check();
        new RetentionRule(history, verdict).check();
        new ReplicaRule(history, unpromised, verdict).check();
        new OperatorRule(history, verdict).check();
        new SilenceRule(history, verdict, setting.commandNanos()).check();
        new ToldRule(history, verdict, setting.commandNanos()).check();
        new MinimumRule(history, unpromised, verdict).check();
    }
}
