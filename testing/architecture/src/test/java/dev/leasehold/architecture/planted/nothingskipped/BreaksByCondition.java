package dev.leasehold.architecture.planted.nothingskipped;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

@Plays(module = "leasehold-core", test = true)
final class BreaksByCondition {
    @EnabledIfEnvironmentVariable(named = "CI", matches = ".*")
    void check() {}
}
