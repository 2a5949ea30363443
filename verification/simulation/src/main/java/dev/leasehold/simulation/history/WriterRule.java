package dev.leasehold.simulation.history;

/**
 * C8, for shared holds: no request passes the first of the queue that waits for others to leave, a writer or a
 * waiter for more permits than are free. Otherwise overlapping holds would exclude it.
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
                            "op " + entry.op()
                                    + " was granted past the first of the queue, which waits for others to leave");
                }
            }
        }
    }
}
