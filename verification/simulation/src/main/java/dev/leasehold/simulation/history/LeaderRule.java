package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C11: a candidate is notified of each of its terms once, of the end before the next. It is notified of a
 * resignation before another can be elected. A leader exists if there are candidates. That terms do not overlap,
 * that their tokens rise and that a loss is reported in time is checked as of any lease (C1, C3, C4).
 */
final class LeaderRule {

    private static final long SECOND = 1_000_000_000;

    /** After a failure a candidate may pause for this long, and a little longer. */
    private static final long PAUSES = 12 * SECOND;

    /** The longest lease, and then each of the dead waiters of a fair queue has a second. */
    private static final long POLLED = 16 * SECOND;

    private final History history;
    private final Verdict verdict;
    private final Map<Long, Candidate> candidates = new HashMap<>();
    private final Set<Integer> terms = new HashSet<>();
    private final Map<Integer, Entry> released = new HashMap<>();
    private final List<Term> led = new ArrayList<>();

    /** A candidate, and the time of its candidacy. */
    private static final class Candidate {
        final Entry isCandidate;
        long leaves;
        int leads = -1;

        Candidate(Entry isCandidate, long leaves) {
            this.isCandidate = isCandidate;
            this.leaves = leaves;
        }

        boolean over(long from, long to) {
            return isCandidate.at() <= from && leaves >= to;
        }
    }

    /** A term: until the leader was notified of the end, or ended. */
    private record Term(long number, long from, long to) {}

    LeaderRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        Map<Integer, Entry> elected = new HashMap<>();
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case CANDIDACY_BEGINS ->
                    candidates.put(entry.token(), new Candidate(entry, history.endOf(entry.client())));
                case CANDIDACY_ENDS -> {
                    Candidate candidate = of(entry);
                    candidate.leaves = Math.min(candidate.leaves, entry.at());
                }
                case ELECTED -> {
                    elected.put(entry.op(), entry);
                    elected(entry);
                }
                case DEMOTED -> {
                    demoted(entry);
                    Entry began = elected.remove(entry.op());
                    if (began != null) {
                        led.add(new Term(
                                began.token(), began.at(), Math.min(entry.at(), history.endOf(entry.client()))));
                    }
                }
                case SERVER_RELEASED -> {
                    if (entry.ofElection()) {
                        released.putIfAbsent(entry.op(), entry);
                    }
                }
                default -> {}
            }
        }
        elected.values().forEach(began -> led.add(new Term(began.token(), began.at(), history.endOf(began.client()))));
        if (!candidates.isEmpty()) {
            vacancies();
        }
    }

    private Candidate of(Entry entry) {
        return candidates.computeIfAbsent(entry.token(), number -> new Candidate(entry, history.endOf(entry.client())));
    }

    private void elected(Entry entry) {
        verdict.judge(Rule.C11);
        Candidate candidate = of(entry);
        if (!terms.add(entry.op())) {
            violate(entry, "is notified twice that it leads by op " + entry.op());
        }
        if (candidate.leads >= 0) {
            violate(
                    entry,
                    "is notified that it leads by op " + entry.op() + " before the end of op " + candidate.leads);
        }
        candidate.leads = entry.op();
    }

    private void demoted(Entry entry) {
        verdict.judge(Rule.C11);
        Candidate candidate = of(entry);
        if (candidate.leads != entry.op()) {
            violate(entry, "is notified of the end of op " + entry.op() + ", by which it does not lead");
        }
        candidate.leads = -1;
        // A lost lease is released at once; it gives no leadership any more, whether or not that has been reported
        // yet.
        Entry free = entry.note().equals("LOST") ? null : released.get(entry.op());
        if (free != null && history.stopped(entry.client(), free.at() - SECOND, entry.at()) == 0) {
            violate(entry, "is notified of the end of op " + entry.op() + " after Redis let others lead");
        }
    }

    private void vacancies() {
        led.sort(Comparator.comparingLong(Term::from));
        long from = 0;
        long last = -1;
        for (Term term : led) {
            vacant(last, from, term.from);
            if (term.to > from) {
                from = term.to;
                last = term.number;
            }
        }
        vacant(last, from, history.end());
    }

    /** Checks a time without a leader, though there were candidates. */
    private void vacant(long former, long vacantFrom, long vacantTo) {
        for (Map.Entry<Long, Candidate> one : candidates.entrySet()) {
            Candidate candidate = one.getValue();
            long from = Math.max(vacantFrom, candidate.isCandidate.at());
            long to = Math.min(vacantTo, candidate.leaves);
            int client = candidate.isCandidate.client();
            if (to <= from || history.stopped(client, from, to) > 0) {
                continue;
            }
            long time = to - from;
            long most = history.longestWait(from, to, one.getKey() != former, POLLED, PAUSES);
            if (most != History.UNJUDGED) {
                verdict.judge(Rule.C11);
                if (time > most) {
                    verdict.violate(
                            Rule.C11,
                            to,
                            candidate.isCandidate.lock(),
                            "there was no leader for " + time / 1_000_000 + " ms though candidate " + one.getKey()
                                    + " of client " + client + " stood");
                }
            } else {
                healed(candidate, from, to);
            }
        }
    }

    /** Checks that there is a leader when all effects of faults are over: their pauses, leases and dead waiters. */
    private void healed(Candidate candidate, long from, long to) {
        Entry healed = History.first(history.ofClient(-1), What.HEALED);
        if (healed == null) {
            return;
        }
        long since = Math.max(from, healed.at());
        if (candidate.over(since, to) && to - since > POLLED && !history.felt(since + 1, to, false)) {
            verdict.violate(
                    Rule.C11,
                    to,
                    candidate.isCandidate.lock(),
                    "there was no leader for " + (to - since) / 1_000_000 + " ms after all faults were over");
        }
    }

    private void violate(Entry entry, String text) {
        verdict.violate(
                Rule.C11,
                entry.at(),
                entry.lock(),
                "candidate " + entry.token() + " of client " + entry.client() + " " + text);
    }
}
