package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C11: a candidate hears of each of its terms once, of the end before the next; who gives a term up hears so before another
 * can be elected; and somebody leads if some stand. That terms do not overlap, that their tokens rise and that a loss is told
 * in time is judged as of any lease (C1, C3, C4).
 */
final class LeaderRule {

    private static final long SECOND = 1_000_000_000;

    /** So long after a failure a candidate may pause, and a little longer. */
    private static final long PAUSES = 12 * SECOND;

    /** The longest lease, and then each of the dead of a fair queue has a second to come. */
    private static final long LOOKED = 16 * SECOND;

    private final History history;
    private final Verdict verdict;
    private final Map<Long, Candidate> candidates = new HashMap<>();
    private final Set<Integer> terms = new HashSet<>();
    private final Map<Integer, Entry> released = new HashMap<>();
    private final List<Term> led = new ArrayList<>();

    /** Who stood, and for how long. */
    private static final class Candidate {
        final Entry stands;
        long leaves;
        int leads = -1;

        Candidate(Entry stands, long leaves) {
            this.stands = stands;
            this.leaves = leaves;
        }

        boolean over(long from, long to) {
            return stands.at() <= from && leaves >= to;
        }
    }

    /** When somebody led: until it heard of the end, or was no more. */
    private record Term(long number, long from, long to) {}

    LeaderRule(History history, Verdict verdict) {
        this.history = history;
        this.verdict = verdict;
    }

    void check() {
        Map<Integer, Entry> elected = new HashMap<>();
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case STANDS -> candidates.put(entry.token(), new Candidate(entry, history.endOf(entry.client())));
                case LEAVES -> {
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
            violate(entry, "is told twice that it leads by op " + entry.op());
        }
        if (candidate.leads >= 0) {
            violate(entry, "is told that it leads by op " + entry.op() + " before the end of op " + candidate.leads);
        }
        candidate.leads = entry.op();
    }

    private void demoted(Entry entry) {
        verdict.judge(Rule.C11);
        Candidate candidate = of(entry);
        if (candidate.leads != entry.op()) {
            violate(entry, "is told of the end of op " + entry.op() + ", by which it does not lead");
        }
        candidate.leads = -1;
        // What is lost is given back at once; nobody leads by it any more, whether or not that has been told yet.
        Entry free = entry.note().equals("LOST") ? null : released.get(entry.op());
        if (free != null && history.stopped(entry.client(), free.at() - SECOND, entry.at()) == 0) {
            violate(entry, "is told of the end of op " + entry.op() + " after Redis let others lead");
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

    /** Nobody led from here to there, though some stood. */
    private void vacant(long former, long vacantFrom, long vacantTo) {
        for (Map.Entry<Long, Candidate> one : candidates.entrySet()) {
            Candidate candidate = one.getValue();
            long from = Math.max(vacantFrom, candidate.stands.at());
            long to = Math.min(vacantTo, candidate.leaves);
            int client = candidate.stands.client();
            if (to <= from || history.stopped(client, from, to) > 0) {
                continue;
            }
            long time = to - from;
            long most = history.longestWait(from, to, one.getKey() != former, LOOKED, PAUSES);
            if (most != History.UNJUDGED) {
                verdict.judge(Rule.C11);
                if (time > most) {
                    verdict.violate(
                            Rule.C11,
                            to,
                            candidate.stands.lock(),
                            "nobody led for " + time / 1_000_000 + " ms though candidate " + one.getKey()
                                    + " of client " + client + " stood");
                }
            } else {
                healed(candidate, from, to);
            }
        }
    }

    /** Somebody leads when all that may be felt of faults is over: their pauses, leases and dead. */
    private void healed(Candidate candidate, long from, long to) {
        Entry healed = History.first(history.ofClient(-1), What.HEALED);
        if (healed == null) {
            return;
        }
        long since = Math.max(from, healed.at());
        if (candidate.over(since, to) && to - since > LOOKED && !history.felt(since + 1, to, false)) {
            verdict.violate(
                    Rule.C11,
                    to,
                    candidate.stands.lock(),
                    "nobody led for " + (to - since) / 1_000_000 + " ms after all was well again");
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
