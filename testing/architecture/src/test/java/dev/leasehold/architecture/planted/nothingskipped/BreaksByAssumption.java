package dev.leasehold.architecture.planted.nothingskipped;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.Assumptions;

@Plays(module = "leasehold-core", test = true)
final class BreaksByAssumption {
    void check() {
        Assumptions.assumeTrue(false);
    }
}
