package dev.leasehold.architecture.planted.apihidesinternals;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public final class BreaksByNesting {
    public Hidden hidden() {
        return new Hidden();
    }

    static final class Hidden {}
}
