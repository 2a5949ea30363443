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
 * @param allKindsOfLocks whether clients use all kinds of locks, and take all edges of the transition table
 */
record Expected(Set<Rule> rules, List<FaultKind> faults, boolean allKindsOfLocks) {

    private static final Set<Rule> OF_QUORUM =
            EnumSet.of(Rule.C1, Rule.C2, Rule.C3, Rule.C4, Rule.C5, Rule.C7, Rule.C8, Rule.C16);

    /** Returns what is expected of seeds from this one on. */
    static Expected of(long seed) {
        if (SeedRange.QUORUM.has(seed)) {
            return new Expected(OF_QUORUM, List.copyOf(FaultMaker.OF_QUORUM), false);
        }
        Set<Rule> rules = EnumSet.complementOf(EnumSet.of(Rule.C15, Rule.C16));
        List<FaultKind> faults = new ArrayList<>(FaultKind.usual());
        if (SeedRange.REPLICATED.has(seed)) {
            rules.add(Rule.C15);
            faults.addAll(FaultKind.only(SeedRange.REPLICATED));
        }
        return new Expected(rules, faults, true);
    }
}
