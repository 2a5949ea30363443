package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.mutant.Mutant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What to run.
 *
 * @param topology standalone, sentinel, cluster or quorum
 * @param durability none, aof or replicas
 * @param nemeses the kinds of faults, or "all"
 * @param seconds for how long faults strike
 * @param acquisitions the run goes on, three times as long at the most, until there are so many
 * @param faults and so many of these
 * @param seed decides which, when, and what workers do
 * @param library leasehold, redisson, redisson-fenced or spring-integration
 * @param processes how many workers
 * @param threads how many threads each has
 * @param directory where histories are kept
 * @param changed what is put before the class path of workers, empty if nothing
 * @param rate at most so many acquisitions a second, by all together; 0 for as many as come
 * @param calmMillis for how long nothing strikes between two faults, on average
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
        int calmMillis) {

    /** Faults nearly all the time. */
    static final int LITTLE_CALM_MILLIS = 250;

    /** Of a run, unless it is told otherwise. */
    private static final int THREADS = 24;

    /** The names of the locks: of all kinds that the topology and the library have, about one for each thread. */
    List<String> locks() {
        int times = Math.max(1, processes * threads / THREADS);
        if (!library.equals("leasehold") || topology.equals("quorum")) {
            return names("mutex", 20 * times);
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

    /** The same with a deliberate bug, and the faults by which it is found. */
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
                calmMillis);
    }

    private static List<String> names(String kind, int number) {
        return IntStream.range(0, number).mapToObj(n -> kind + "-" + n).toList();
    }
}
