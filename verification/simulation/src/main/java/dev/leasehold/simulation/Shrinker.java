package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Rule;
import dev.leasehold.simulation.history.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Searches for the smallest plan that still violates the same rule: removes faults, workers and operations, in
 * halves, then quarters, and so on down to single ones, and cuts off everything after the violation.
 */
final class Shrinker {

    private static final int MOST_RUNS = 600;
    private static final long AFTER_NANOS = 5_000_000_000L;

    private final Rule rule;
    private Simulation.Outcome best;
    private int runs;

    private Shrinker(Simulation.Outcome outcome, Rule rule) {
        this.best = outcome;
        this.rule = rule;
    }

    /** Returns the smallest outcome that was found. */
    static Simulation.Outcome shrink(Simulation.Outcome outcome) {
        Violation violation = outcome.violation();
        return violation == null ? outcome : new Shrinker(outcome, violation.rule()).shrink();
    }

    private Simulation.Outcome shrink() {
        int before;
        do {
            before = size();
            // Leftovers show only at the end.
            if (rule != Rule.C7) {
                cutTheEnd();
            }
            reduce(best.plan().faults(), some -> best.plan().withFaults(some));
            reduce(best.plan().extras(), some -> best.plan().withExtras(some));
            reduce(best.plan().workers(), some -> best.plan().withWorkers(some));
            for (int i = 0; i < best.plan().workers().size(); i++) {
                int worker = i;
                reduce(best.plan().workers().get(i).ops(), some -> best.plan().withOps(worker, some));
            }
        } while (size() < before && runs < MOST_RUNS);
        return best;
    }

    private int size() {
        return best.plan().faults().size()
                + best.plan().extras().size()
                + best.plan().operations();
    }

    private void cutTheEnd() {
        Violation violation = best.violation();
        if (violation != null) {
            attempt(best.plan().endingAt(violation.at() + 1));
            attempt(best.plan().endingAt(violation.at() + AFTER_NANOS));
        }
    }

    private <T> void reduce(List<T> all, Function<List<T>, Plan> plan) {
        List<T> kept = all;
        int chunk = Math.max(1, kept.size() / 2);
        while (!kept.isEmpty() && runs < MOST_RUNS) {
            boolean smaller = false;
            for (int from = 0; from < kept.size() && runs < MOST_RUNS; ) {
                List<T> rest = new ArrayList<>(kept.subList(0, from));
                rest.addAll(kept.subList(Math.min(kept.size(), from + chunk), kept.size()));
                if (attempt(plan.apply(rest))) {
                    kept = rest;
                    smaller = true;
                } else {
                    from += chunk;
                }
            }
            if (chunk == 1 && !smaller) {
                return;
            }
            chunk = Math.max(1, chunk / 2);
        }
    }

    private boolean attempt(Plan plan) {
        runs++;
        try {
            Simulation.Outcome outcome = Simulation.run(plan);
            for (Violation violation : outcome.verdict().violations()) {
                if (violation.rule() == rule) {
                    best = outcome;
                    return true;
                }
            }
        } catch (RuntimeException e) {
            // A failure of another kind is not the one to be shrunk.
            return false;
        }
        return false;
    }

    /** Describes the plan and history of an outcome as text. */
    static String describe(Simulation.Outcome outcome, Rule rule) {
        List<Violation> violations = outcome.verdict().violations().stream()
                .filter(one -> one.rule() == rule)
                .toList();
        Plan plan = outcome.plan();
        StringBuilder text = new StringBuilder();
        text.append("shrunk to ")
                .append(plan.workers().size())
                .append(" workers with ")
                .append(plan.operations());
        text.append(" operations and ").append(plan.faults().size()).append(" faults; answers ");
        text.append(plan.setup().answersAtOnce() ? "at once" : "later").append(", transport ");
        text.append(plan.setup().atMostOnce() ? "at most once" : "at least once")
                .append(":\n");
        plan.faults().forEach(fault -> text.append("  fault ").append(fault).append('\n'));
        plan.workers()
                .forEach(worker -> worker.ops()
                        .forEach(op -> text.append("  client ")
                                .append(worker.client())
                                .append(' ')
                                .append(op)
                                .append('\n')));
        plan.extras().forEach(extra -> text.append("  extra ").append(extra).append('\n'));
        String lock = violations.isEmpty() ? "" : violations.get(0).lock();
        outcome.history().entries().stream()
                .filter(entry ->
                        lock.isEmpty() || entry.lock().isEmpty() || entry.lock().equals(lock))
                .forEach(entry -> text.append(entry).append('\n'));
        violations.forEach(one -> text.append("VIOLATION ").append(one).append('\n'));
        return text.toString();
    }
}
