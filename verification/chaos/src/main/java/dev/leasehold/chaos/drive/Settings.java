package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.mutant.Mutant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The settings of a run.
 *
 * @param topology standalone, sentinel, cluster or quorum
 * @param durability none, aof or replicas
 * @param nemeses the kinds of faults, or "all"
 * @param seconds the duration of faults
 * @param acquisitions the minimum of acquisitions, for which the run continues up to fifteen times as long
 * @param faults the minimum of faults, likewise
 * @param seed decides the faults, their times, and the actions of workers
 * @param library leasehold, redisson, redisson-fenced or spring-integration
 * @param processes the number of workers
 * @param threads the number of threads of each
 * @param directory the directory of histories
 * @param changed the head of the class path of workers, empty if none
 * @param rate the maximum of acquisitions a second, of all together; 0 for no limit
 * @param calmMillis the mean time between two faults
 * @param names the number of locks; 0 for about one for each thread
 * @param kinds the kinds of locks; empty for those that every topology has
 * @param sampleMillis the interval of samples of resources, by which growth is judged; 0 for none
 */
public record Settings(
        String topology,
        String durability,
        List<String> nemeses,
        int seconds,
        int acquisitions,
        int faults,
        long seed,
        String library,
        int processes,
        int threads,
        Path directory,
        String changed,
        int rate,
        int calmMillis,
        int names,
        List<String> kinds,
        int sampleMillis) {

    private static final String LEAK = "leak";

    /** All kinds of locks, and how many of each; "leak" are used by clients that are never closed. */
    private static final Map<String, Integer> KINDS = Map.ofEntries(
            Map.entry("mutex", 4),
            Map.entry("fair", 2),
            Map.entry("rw", 2),
            Map.entry("owned", 2),
            Map.entry("plain", 1),
            Map.entry("semaphore", 1),
            Map.entry("several", 3),
            Map.entry("latch", 1),
            Map.entry("election", 1),
            Map.entry("short", 1),
            Map.entry(LEAK, 3));

    /** Faults nearly all the time. */
    static final int LITTLE_CALM_MILLIS = 250;

    /** The default number of threads of a run. */
    private static final int THREADS = 24;

    /** The number of locks for so many threads. */
    private static final int NAMES = 20;

    /**
     * Returns the names of the locks: of all kinds that the topology and the library have, about one for each
     * thread.
     */
    List<String> locks() {
        int times = Math.max(1, names > 0 ? names / NAMES : processes * threads / THREADS);
        if (!kinds.isEmpty()) {
            return kinds.stream()
                    .flatMap(kind -> names(kind, KINDS.getOrDefault(kind, 1) * times).stream())
                    .toList();
        }
        if (!library.equals("leasehold") || topology.equals("quorum")) {
            return names("mutex", NAMES * times);
        }
        List<String> all = new ArrayList<>(names("mutex", 14 * times));
        all.addAll(names("fair", 2 * times));
        all.addAll(names("rw", 2 * times));
        all.addAll(names("owned", 2 * times));
        if (durability.equals("none")) {
            all.addAll(names("plain", times));
        }
        return all;
    }

    /**
     * Returns the kinds of locks of this list.
     *
     * @param list kinds with commas between, "all" for each but "leak", or nothing
     * @throws IllegalArgumentException if there is no such kind
     */
    static List<String> kinds(String list) {
        List<String> kinds = new ArrayList<>();
        for (String kind : list.isEmpty() ? new String[0] : list.split(",", -1)) {
            if (kind.equals("all")) {
                KINDS.keySet().stream()
                        .filter(one -> !one.equals(LEAK))
                        .sorted()
                        .forEach(kinds::add);
            } else if (KINDS.containsKey(kind)) {
                kinds.add(kind);
            } else {
                throw new IllegalArgumentException("no kind of lock is called " + kind + "; there are all and "
                        + KINDS.keySet().stream().sorted().toList());
            }
        }
        return kinds;
    }

    /** Returns the same settings with a deliberate bug, and the faults that expose it. */
    Settings of(Mutant mutant, Path classes) {
        return new Settings(
                mutant.topology(),
                mutant.durability(),
                mutant.nemeses(),
                seconds,
                0,
                0,
                seed,
                library,
                processes,
                threads,
                directory,
                classes.toString(),
                rate,
                calmMillis,
                names,
                kinds,
                sampleMillis);
    }

    private static List<String> names(String kind, int number) {
        return IntStream.range(0, number).mapToObj(n -> kind + "-" + n).toList();
    }
}
