package dev.leasehold.simulation;

import java.util.List;
import java.util.function.LongFunction;

/** The trace of one seed, with parameter types that class loaders share. */
public final class TraceRunner implements LongFunction<List<String>> {

    /** Runs the seed; returns the lines of its trace, none for a quorum. */
    @Override
    public List<String> apply(long seed) {
        return Simulation.trace(PlanMaker.of(seed)).lines();
    }
}
