package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Violation;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** One seed, with parameter types that class loaders share. */
public final class SeedRunner implements LongFunction<@Nullable String> {

    /** Runs the seed; returns its first violation, or null. */
    @Override
    public @Nullable String apply(long seed) {
        try {
            Violation violation = Simulation.run(PlanMaker.of(seed)).violation();
            return violation == null ? null : violation.toString();
        } catch (RuntimeException e) {
            return "the simulation itself failed: " + e;
        }
    }
}
