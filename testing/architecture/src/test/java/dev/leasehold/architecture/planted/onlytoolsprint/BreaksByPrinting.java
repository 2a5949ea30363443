package dev.leasehold.architecture.planted.onlytoolsprint;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
final class BreaksByPrinting {
    void say() {
        System.out.println("hello");
    }
}
