package dev.leasehold.simulation.history;

/** C8, for readers and writers: nobody joins readers past a writer who waits, or readers who overlap would keep it out. */
final class WriterRule {

    private final History history;
    private final Verdict verdict;

    WriterRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            if (entry.is(What.SERVER_JOINED)) {
                verdict.judge(Rule.C8);
                if (entry.note().equals("write")) {
                    verdict.violate(
                            Rule.C8,
                            entry.at(),
                            entry.lock(),
                            "op " + entry.op() + " joined the readers though a writer waits");
                }
            }
        }
    }
}
