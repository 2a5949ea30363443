package dev.leasehold.architecture.planted.siblingsarestrangers.jedis;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.core.internal.Engine;
import dev.leasehold.architecture.planted.siblingsarestrangers.testkit.TestAid;

@Plays(module = "leasehold-jedis", test = true)
final class AbidesInTests {
    private TestAid aid;
    private Engine engine;
}
