package dev.leasehold.simulation;

import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.simulation.history.Rule;
import dev.leasehold.simulation.history.Violation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Many seeds, each in one thread, and their total results. */
final class Campaign {

    private static final int MOST_VIOLATIONS = 5;
    private static final long MORE = 100;
    private static final double NANOS_PER_HOUR = 3600e9;

    private final Map<Long, Violation> violations = new TreeMap<>();
    private final Met met = new Met();
    private final Map<Rule, Long> judged = new EnumMap<>(Rule.class);
    private final Map<Rule, Long> waived = new EnumMap<>(Rule.class);
    private final long[] edges = new long[LeaseState.values().length * LeaseEvent.values().length];
    private final Expected expected;
    private long seeds;
    private long acquisitions;
    private long fewest = Long.MAX_VALUE;
    private long seedOfFewest;
    private long virtualNanos;
    private long realNanos;

    private Campaign(Expected expected) {
        this.expected = expected;
    }

    /**
     * Runs at least so many seeds. If they met or judged too little to mean anything, more follow, up to the most: rare
     * events move from seed to seed with every change of the engine.
     */
    static Campaign run(long first, long least, long most, int threads) {
        Campaign whole = run(first, least, threads);
        long done = least;
        while (done < most && whole.violations.isEmpty() && !whole.idle().isEmpty()) {
            long more = Math.min(MORE, most - done);
            whole.add(run(first + done, more, threads));
            done += more;
        }
        return whole;
    }

    /** Runs so many seeds, beginning with this one; stops soon after a few violations. */
    static Campaign run(long first, long count, int threads) {
        Campaign whole = new Campaign(Expected.of(first));
        AtomicLong next = new AtomicLong(first);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long began = System.nanoTime();
        try {
            List<Future<Campaign>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(executor.submit(() -> part(next, first, first + count)));
            }
            for (Future<Campaign> part : parts) {
                whole.add(part.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a seed could not be simulated: " + e.getCause(), e.getCause());
        } finally {
            executor.shutdownNow();
        }
        whole.realNanos = System.nanoTime() - began;
        return whole;
    }

    private static Campaign part(AtomicLong next, long first, long end) {
        Campaign part = new Campaign(Expected.of(first));
        for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
            part.one(seed);
            if (part.violations.size() >= MOST_VIOLATIONS) {
                next.set(end);
            }
        }
        return part;
    }

    private void one(long seed) {
        Simulation.Outcome outcome;
        try {
            outcome = Simulation.run(PlanMaker.of(seed));
        } catch (RuntimeException e) {
            throw new IllegalStateException("seed " + seed, e);
        }
        seeds++;
        acquisitions += outcome.acquisitions();
        fewest(seed, outcome.acquisitions());
        virtualNanos += outcome.plan().ends();
        met.add(outcome.met());
        for (Rule rule : Rule.values()) {
            judged.merge(rule, outcome.verdict().judged(rule), Long::sum);
            waived.merge(rule, outcome.verdict().waived(rule), Long::sum);
        }
        for (int i = 0; i < edges.length; i++) {
            edges[i] += outcome.edges()[i];
        }
        Violation violation = outcome.violation();
        if (violation != null) {
            violations.put(seed, violation);
        }
    }

    private void fewest(long seed, long tried) {
        if (tried < fewest) {
            fewest = tried;
            seedOfFewest = seed;
        }
    }

    private void add(Campaign other) {
        seeds += other.seeds;
        acquisitions += other.acquisitions;
        fewest(other.seedOfFewest, other.fewest);
        virtualNanos += other.virtualNanos;
        realNanos += other.realNanos;
        met.add(other.met);
        violations.putAll(other.violations);
        other.judged.forEach((rule, count) -> judged.merge(rule, count, Long::sum));
        other.waived.forEach((rule, count) -> waived.merge(rule, count, Long::sum));
        for (int i = 0; i < edges.length; i++) {
            edges[i] += other.edges[i];
        }
    }

    Map<Long, Violation> violations() {
        return violations;
    }

    /** Returns the violations of the seeds. */
    List<String> broken() {
        List<String> wrong = new ArrayList<>();
        violations.forEach((seed, violation) -> wrong.add("seed " + seed + ": " + violation));
        return wrong;
    }

    /**
     * Returns the shortcomings of the campaign as a whole: checks, faults and actions that occurred too rarely to
     * prove anything.
     */
    List<String> idle() {
        List<String> wrong = new ArrayList<>();
        if (fewest < Simulation.least(seedOfFewest)) {
            wrong.add("seed " + seedOfFewest + " tried only " + fewest + " acquisitions, and not "
                    + Simulation.least(seedOfFewest));
        }
        for (Rule rule : expected.rules()) {
            if (judged.getOrDefault(rule, 0L) == 0) {
                wrong.add(rule + " (" + rule.title() + ") was never applied");
            }
        }
        for (FaultKind kind : expected.faults()) {
            if (met.of(kind) == 0) {
                wrong.add("the fault " + kind + " never occurred");
            }
        }
        if (!expected.allKindsOfLocks()) {
            return wrong;
        }
        if (met.timesHandedOff() == 0) {
            wrong.add("no lock was ever handed off within a client");
        }
        if (met.timesSeveral() == 0) {
            wrong.add("no two locks were ever acquired together");
        }
        for (Met.Deed deed : expected.deeds()) {
            if (met.of(deed) == 0) {
                wrong.add(deed.never);
            }
        }
        wrong.addAll(TransitionTable.compare(edges, expected.allEdges()));
        return wrong;
    }

    String summary() {
        StringBuilder text = new StringBuilder();
        double seconds = realNanos / 1e9;
        text.append(String.format(
                Locale.ROOT,
                "%d seeds in %.1f s: %.1f a second, %.1f simulated hours, %d acquisitions (at least %d a seed)%n",
                seeds,
                seconds,
                seeds / seconds,
                virtualNanos / NANOS_PER_HOUR,
                acquisitions,
                fewest));
        text.append(String.format(Locale.ROOT, "handed off within a client: %d%n", met.timesHandedOff()));
        text.append(String.format(Locale.ROOT, "two locks acquired together: %d%n", met.timesSeveral()));
        for (Met.Deed deed : expected.deeds()) {
            text.append(String.format(Locale.ROOT, "  %-24s %10d%n", deed, met.of(deed)));
        }
        text.append("faults met:\n");
        for (FaultKind kind : expected.faults()) {
            text.append(String.format(Locale.ROOT, "  %-24s %10d%n", kind, met.of(kind)));
        }
        text.append("rules, how often each was applied, and violated where nothing is promised:\n");
        for (Rule rule : expected.rules()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %s %-26s %10d %10d%n",
                    rule,
                    rule.title(),
                    judged.getOrDefault(rule, 0L),
                    waived.getOrDefault(rule, 0L)));
        }
        text.append(TransitionTable.summary(edges));
        return text.toString();
    }
}
