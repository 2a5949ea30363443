package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Rule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What many seeds are expected to meet.
 *
 * @param rules the rules that judge something
 * @param faults the kinds of faults that happen
 * @param deeds what clients do in some seeds
 * @param allKindsOfLocks whether clients use all kinds of locks
 * @param allEdges whether they take all edges of the transition table
 */
record Expected(
        Set<Rule> rules, List<FaultKind> faults, Set<Met.Deed> deeds, boolean allKindsOfLocks, boolean allEdges) {

    private static final Set<Rule> OF_QUORUM =
            EnumSet.of(Rule.C1, Rule.C2, Rule.C3, Rule.C4, Rule.C5, Rule.C7, Rule.C8, Rule.C16);

    /** About features that only mixed seeds have. */
    private static final Set<Rule> OF_MIXED = EnumSet.of(Rule.C18, Rule.C19, Rule.C21);

    private static final EnumSet<Rule> OF_OTHER_RANGES = EnumSet.of(Rule.C15, Rule.C16, Rule.C18, Rule.C19, Rule.C21);

    /** Returns what is expected of seeds from this one on. */
    static Expected of(long seed) {
        if (SeedRange.QUORUM.has(seed)) {
            return new Expected(OF_QUORUM, List.copyOf(FaultMaker.OF_QUORUM), Set.of(), false, false);
        }
        Set<Rule> rules = EnumSet.complementOf(OF_OTHER_RANGES);
        List<FaultKind> faults = new ArrayList<>(FaultKind.usual());
        if (SeedRange.REPLICATED.has(seed) || SeedRange.MIXED.has(seed)) {
            rules.add(Rule.C15);
            faults.addAll(FaultKind.only(SeedRange.REPLICATED));
        }
        if (SeedRange.MIXED.has(seed)) {
            rules.addAll(OF_MIXED);
            faults.addAll(FaultKind.only(SeedRange.MIXED));
        }
        Set<Met.Deed> deeds = EnumSet.allOf(Met.Deed.class);
        if (!SeedRange.MIXED.has(seed)) {
            deeds.removeAll(EnumSet.of(Met.Deed.DOWNGRADED, Met.Deed.FORCED, Met.Deed.PERMITS_CHANGED, Met.Deed.KEPT));
        }
        return new Expected(rules, faults, deeds, true, !SeedRange.MIXED.has(seed));
    }
}
