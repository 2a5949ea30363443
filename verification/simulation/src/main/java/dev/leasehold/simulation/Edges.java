package dev.leasehold.simulation;

import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The edges of the transition table that were taken. Production code has no hook for this: the core's own source of
 * {@code Transitions} is compiled with one more line, which calls {@link #met}; see {@code Mutants.OBSERVED}.
 */
public final class Edges {

    private static final int EVENTS = LeaseEvent.values().length;
    private static final int ALL = LeaseState.values().length * EVENTS;
    private static final ThreadLocal<Run> RUN = ThreadLocal.withInitial(() -> new Run(() -> 0));

    /** Legal edges that no schedule of asynchronous calls in one thread can take, with the reasons. */
    static final Map<String, String> UNREACHABLE = unreachable();

    private Edges() {}

    /** What one run has taken so far. */
    private static final class Run {
        final LongSupplier now;
        final long[] counts = new long[ALL];
        final PairsMet pairs = new PairsMet();

        Run(LongSupplier now) {
            this.now = now;
        }
    }

    private static Map<String, String> unreachable() {
        Map<String, String> edges = new TreeMap<>();
        for (LeaseState state : List.of(LeaseState.RELEASING, LeaseState.RELEASED, LeaseState.LOST)) {
            for (LeaseEvent event : List.of(LeaseEvent.CLOCK_JUMPED, LeaseEvent.DEADLINE_PASSED)) {
                edges.put(state + " " + event, "(two threads: one ends the hold just when the other checks it)");
            }
        }
        return edges;
    }

    /** Records that an event is about to be applied. */
    @SuppressWarnings("EnumOrdinal") // the index of a table that is never kept
    public static void met(LeaseState state, LeaseEvent event) {
        Run run = RUN.get();
        int edge = state.ordinal() * EVENTS + event.ordinal();
        run.counts[edge]++;
        run.pairs.taken(edge, run.now.getAsLong());
    }

    /** Begins a run of this thread, whose true time this is. */
    static void begin(LongSupplier now) {
        RUN.set(new Run(now));
    }

    /** Records that a fault begins. */
    static void struck(Fault fault) {
        RUN.get().pairs.struck(fault);
    }

    static long[] taken() {
        return RUN.get().counts.clone();
    }

    /** Returns which edges were taken under which faults. */
    static PairsMet pairs() {
        return RUN.get().pairs;
    }

    static LeaseState state(int edge) {
        return List.of(LeaseState.values()).get(edge / EVENTS);
    }

    static LeaseEvent event(int edge) {
        return List.of(LeaseEvent.values()).get(edge % EVENTS);
    }

    static String name(int edge) {
        return state(edge) + " " + event(edge);
    }
}
