package dev.leasehold.architecture.planted.adaptersuseports.jedis;

import dev.leasehold.architecture.planted.adaptersuseports.core.internal.Engine;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-jedis")
final class BreaksByInternals {
    private Engine engine;
}
