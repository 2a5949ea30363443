package dev.leasehold.simulation.history;

/**
 * C8, where several hold at once: nobody comes in past the first of the queue who waits for others to leave, a writer or one
 * who wants more permits than are free; or those who overlap would keep it out.
 */
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
                if (entry.note().equals("past")) {
                    verdict.violate(
                            Rule.C8,
                            entry.at(),
                            entry.lock(),
                            "op " + entry.op() + " came in past the first of the queue, who waits for others to leave");
                }
            }
        }
    }
}
