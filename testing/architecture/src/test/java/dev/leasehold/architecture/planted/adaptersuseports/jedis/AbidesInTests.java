package dev.leasehold.architecture.planted.adaptersuseports.jedis;

import dev.leasehold.architecture.planted.adaptersuseports.core.internal.Engine;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-jedis", test = true)
final class AbidesInTests {
    private Engine engine;
}
