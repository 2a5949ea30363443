package dev.leasehold.simulation;

import java.util.function.ToLongFunction;

/** A search, by types that class loaders share: first seed, the most runs, and 1 if it is guided, in; how many runs it took, out. */
public final class SearchRun implements ToLongFunction<long[]> {

    @Override
    public long applyAsLong(long[] args) {
        Search.Result result = Search.run(args[0], (int) args[1], args[2] == 1);
        return result.violation() == null ? args[1] + 1 : result.runs();
    }
}
