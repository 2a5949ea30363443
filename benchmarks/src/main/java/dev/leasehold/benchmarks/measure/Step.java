package dev.leasehold.benchmarks.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Script calls of one kind in one situation.
 *
 * @param part the situation
 * @param name the kind of calls
 * @param calls the number of calls
 * @param micros the server's time of all of them
 * @param slow those that took the server more than {@link #SLOW_MICROS}
 * @param lost the number of holds or positions that the replies show as lost
 */
public record Step(String part, String name, long calls, long micros, List<Slow> slow, long lost) {

    /** The server keeps calls above this time in its slow log. */
    public static final long SLOW_MICROS = 1000;

    /** No call may take longer than this. */
    public static final long TOO_SLOW_MICROS = 5000;

    /**
     * A slow call.
     *
     * @param script its script
     * @param micros the time from its start to its end on the server
     * @param cpuMicros the server's CPU time from the call's request to its reply, at most {@code micros}: an upper bound of
     *     the script's own, because the time in which other processes had the core is left out
     */
    public record Slow(String script, long micros, long cpuMicros) {}

    /** Copies the list. */
    public Step {
        slow = List.copyOf(slow);
    }

    /** Returns the calls of both, which are of one kind. */
    public Step plus(Step other) {
        List<Slow> both = new ArrayList<>(slow);
        both.addAll(other.slow);
        return new Step(part, name, calls + other.calls, micros + other.micros, both, lost + other.lost);
    }

    /** Returns the mean time of a call. */
    public double each() {
        return calls == 0 ? Double.NaN : (double) micros / calls;
    }

    /** Returns how many calls took longer. */
    public long above(long limit) {
        return slow.stream().filter(call -> call.micros > limit).count();
    }

    /** Returns how many calls took longer on a core. */
    public long aboveOnCore(long limit) {
        return slow.stream().filter(call -> call.cpuMicros > limit).count();
    }

    /** Returns the call with the longest time on a core, if any is slow. */
    public Optional<Slow> longest() {
        return slow.stream().max(Comparator.comparingLong(Slow::cpuMicros).thenComparingLong(Slow::micros));
    }

    /** Returns the longest time from start to end, if any call is slow; else 0. */
    public long longestMicros() {
        return slow.stream().mapToLong(Slow::micros).max().orElse(0);
    }
}
