package dev.leasehold.architecture.planted.nothingskipped;

import dev.leasehold.architecture.planted.internal.Plays;
import org.assertj.core.api.Assumptions;

@Plays(module = "leasehold-core", test = true)
final class BreaksByFluentAssumption {
    void check() {
        Assumptions.assumeThat(1).isEqualTo(2);
    }
}
