package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans of which half are made from earlier ones, so that edges of the transition table are taken under faults that they seldom
 * meet. A plan that met a rare pair is kept, and gets further faults at moments at which it took an edge. The same
 * arguments run the same plans.
 */
final class Search {

    /** A pair that fewer runs than these have met is rare. */
    private static final int RARE = 3;

    private static final int MOST_KEPT = 200;
    private static final int TRIED = 8;
    private static final int CHOICE = 10;
    private static final long EARLIER = 300 * PlanMaker.MILLI;
    private static final long LAST_FAULT = PlanMaker.HEALS - 4 * PlanMaker.SECOND;

    private final SplittableRandom random;
    private final boolean guided;
    private final List<Kept> corpus = new ArrayList<>();
    private final Map<PairsMet.Pair, Integer> counts = new HashMap<>();
    private long nextSeed;

    /** A plan that met rare pairs, and when it took edges. */
    private record Kept(Plan plan, List<PairsMet.Taken> moments) {}

    /** A pair that a plan could meet, when it takes the edge, and how many runs have met it. */
    private record Target(PairsMet.Pair pair, long at, int count) {}

    /**
     * What a search found.
     *
     * @param runs how many plans it ran
     * @param pairs how many pairs of an edge and a fault they met
     * @param plan the plan that broke a rule; null if none did
     * @param violation what it broke; null if none did
     */
    record Result(
            int runs,
            int pairs,
            @Nullable Plan plan,
            @Nullable Violation violation) {}

    private Search(long first, boolean guided) {
        this.random = new SplittableRandom(first);
        this.guided = guided;
        this.nextSeed = first;
    }

    /**
     * Runs plans until one breaks a rule.
     *
     * @param first the first seed
     * @param most how many plans at most
     * @param guided false if all plans are those of seeds, for comparison
     */
    static Result run(long first, int most, boolean guided) {
        Search search = new Search(first, guided);
        for (int run = 1; run <= most; run++) {
            Plan plan = search.next();
            Simulation.Outcome outcome = Simulation.run(plan);
            search.learn(plan, outcome.pairs());
            Violation violation = outcome.violation();
            if (violation != null) {
                return new Result(run, search.counts.size(), plan, violation);
            }
        }
        return new Result(most, search.counts.size(), null, null);
    }

    private Plan next() {
        if (!guided || corpus.isEmpty() || random.nextBoolean()) {
            return PlanMaker.of(nextSeed++);
        }
        Kept best = corpus.get(random.nextInt(corpus.size()));
        long most = -1;
        for (int i = 0; i < TRIED; i++) {
            Kept kept = corpus.get(random.nextInt(corpus.size()));
            long unmet = targets(kept).stream()
                    .filter(target -> target.count() == 0)
                    .map(Target::pair)
                    .distinct()
                    .count();
            if (unmet > most) {
                most = unmet;
                best = kept;
            }
        }
        return varied(best);
    }

    private void learn(Plan plan, PairsMet met) {
        boolean rare = false;
        for (PairsMet.Pair pair : met.pairs()) {
            rare |= counts.merge(pair, 1, Integer::sum) <= RARE;
        }
        if (rare && guided) {
            corpus.add(new Kept(plan, met.moments()));
            if (corpus.size() > MOST_KEPT) {
                corpus.remove(0);
            }
        }
    }

    /** Replaces half of the faults by others, each shortly before an edge is taken that seldom met its kind. */
    private Plan varied(Kept kept) {
        Plan plan = kept.plan();
        FaultMaker maker = new FaultMaker(
                new Draws(random), plan.setup().clients(), plan.setup().locks().size(), plan.heals());
        List<Fault> faults = new ArrayList<>(plan.faults());
        int replaced = faults.size() / 2;
        for (int i = 0; i < replaced; i++) {
            faults.remove(random.nextInt(faults.size()));
        }
        List<Target> targets = targets(kept);
        for (int i = 0; i < replaced && !targets.isEmpty(); i++) {
            Target target = targets.get(random.nextInt(Math.min(targets.size(), CHOICE)));
            targets.removeIf(other -> other.pair().equals(target.pair()));
            faults.add(maker.fault(
                    target.pair().fault(), Math.max(PlanMaker.SECOND, target.at() - random.nextLong(EARLIER))));
        }
        faults.sort(Comparator.comparingLong(Fault::at));
        return plan.withFaults(List.copyOf(faults));
    }

    /** Returns the pairs that the plan could meet, those first that fewest runs have met. */
    private List<Target> targets(Kept kept) {
        Plan plan = kept.plan();
        List<Target> targets = new ArrayList<>();
        for (FaultKind kind :
                FaultMaker.kinds(false, plan.setup().atMostOnce(), plan.setup().wakeUps())) {
            for (PairsMet.Taken taken : kept.moments()) {
                if (!FaultMaker.endsClient(kind) && taken.at() > PlanMaker.SECOND && taken.at() < LAST_FAULT) {
                    PairsMet.Pair pair = new PairsMet.Pair(taken.edge(), kind);
                    targets.add(new Target(pair, taken.at(), counts.getOrDefault(pair, 0)));
                }
            }
        }
        Collections.shuffle(targets, new Random(random.nextLong()));
        targets.sort(Comparator.comparingInt(Target::count));
        return targets;
    }

    /** Returns how many pairs there can be: of the legal edges with all kinds of faults. */
    static int possible() {
        int legal = 0;
        for (int edge = 0; edge < Edges.taken().length; edge++) {
            if (TransitionTable.legal(edge) && !Edges.UNREACHABLE.containsKey(Edges.name(edge))) {
                legal++;
            }
        }
        return legal * FaultKind.usual().size();
    }
}
