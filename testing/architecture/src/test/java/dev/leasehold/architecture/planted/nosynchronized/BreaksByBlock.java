package dev.leasehold.architecture.planted.nosynchronized;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
final class BreaksByBlock {
    private int entered;

    Runnable enter() {
        return () -> {
            synchronized (this) {
                entered++;
            }
        };
    }
}
