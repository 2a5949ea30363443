package dev.leasehold.architecture.planted.siblingsarestrangers.jedis;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.testkit.TestAid;

@Plays(module = "leasehold-jedis")
final class BreaksByTestAid {
    private TestAid aid;
}
