package dev.leasehold.architecture.planted.siblingsarestrangers.tck;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.lettuce.LettuceThing;
import dev.leasehold.architecture.planted.siblingsarestrangers.testkit.TestAid;

@Plays(module = "leasehold-tck")
final class BreaksByAdapter {
    private LettuceThing adapter;
    private TestAid aid;
}
