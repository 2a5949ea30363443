package dev.leasehold.internal.waitgraph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds cycles of waits: for each wait that is in one, and not in one found before, the shortest. */
final class Cycles {

    private final List<Wait> waits;

    /**
     * A cycle.
     *
     * @param waits each depends on the next, and the last on the first
     * @param certain whether each is known to
     */
    record Cycle(List<Wait> waits, boolean certain) {

        /** The wait on which another one of the cycle depends. */
        Wait after(int index) {
            return waits.get((index + 1) % waits.size());
        }
    }

    Cycles(List<Wait> waits) {
        this.waits = waits;
    }

    /** Returns cycles that are certain, and then those that are only possible and contain none of the waits before. */
    List<Cycle> find() {
        List<Cycle> found = new ArrayList<>();
        Set<Integer> covered = new HashSet<>();
        for (Contender.Link least : List.of(Contender.Link.CERTAIN, Contender.Link.POSSIBLE)) {
            List<List<Integer>> next = dependencies(least);
            for (int start = 0; start < waits.size(); start++) {
                List<Integer> cycle = covered.contains(start) ? null : shortest(start, next);
                if (cycle != null && Collections.disjoint(cycle, covered)) {
                    covered.addAll(cycle);
                    found.add(new Cycle(cycle.stream().map(waits::get).toList(), least == Contender.Link.CERTAIN));
                }
            }
        }
        return found;
    }

    private List<List<Integer>> dependencies(Contender.Link least) {
        List<List<Integer>> all = new ArrayList<>();
        for (Wait wait : waits) {
            List<Integer> next = new ArrayList<>();
            for (int other = 0; other < waits.size(); other++) {
                if (wait.dependsOn(waits.get(other)).compareTo(least) >= 0) {
                    next.add(other);
                }
            }
            all.add(next);
        }
        return all;
    }

    /** Goes through the waits by their distance from the first. Returns null if none leads back to it. */
    private static @Nullable List<Integer> shortest(int start, List<List<Integer>> next) {
        Map<Integer, Integer> before = new HashMap<>();
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int wait = queue.remove();
            for (int after : next.get(wait)) {
                if (after == start) {
                    return path(start, wait, before);
                }
                if (before.putIfAbsent(after, wait) == null) {
                    queue.add(after);
                }
            }
        }
        return null;
    }

    private static List<Integer> path(int start, int last, Map<Integer, Integer> before) {
        List<Integer> path = new ArrayList<>();
        for (int wait = last; wait != start; wait = before.getOrDefault(wait, start)) {
            path.add(wait);
        }
        path.add(start);
        Collections.reverse(path);
        return path;
    }
}
