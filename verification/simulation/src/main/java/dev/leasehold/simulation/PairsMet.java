package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The edges of the transition table that a run took, each with the faults that were felt then. */
final class PairsMet {

    /** For so long after its end a fault may still have an effect: a renewal is due, a request times out. */
    private static final long FELT = 1_000_000_000;

    /** Of each edge. */
    private static final int ENOUGH = 6;

    private final Map<FaultKind, Long> felt = new EnumMap<>(FaultKind.class);
    private final Set<Pair> pairs = new TreeSet<>();
    private final Map<Integer, Integer> times = new HashMap<>();
    private final List<Taken> moments = new ArrayList<>();

    /** An edge, and a fault that was felt when it was taken. */
    record Pair(int edge, FaultKind fault) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return edge != other.edge ? Integer.compare(edge, other.edge) : fault.compareTo(other.fault);
        }
    }

    /** An edge, and when it was taken. */
    record Taken(int edge, long at) {}

    void struck(Fault fault) {
        felt.merge(fault.kind(), fault.felt() + FELT, Math::max);
    }

    void taken(int edge, long at) {
        if (times.merge(edge, 1, Integer::sum) <= ENOUGH) {
            moments.add(new Taken(edge, at));
        }
        felt.forEach((kind, until) -> {
            if (at <= until) {
                pairs.add(new Pair(edge, kind));
            }
        });
    }

    Set<Pair> pairs() {
        return pairs;
    }

    /** Returns when each edge was taken, the first few times. */
    List<Taken> moments() {
        return moments;
    }
}
