package dev.leasehold.architecture.planted.siblingsarestrangers.cli;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.lettuce.LettuceThing;
import dev.leasehold.architecture.planted.siblingsarestrangers.testkit.TestAid;

@Plays(module = "leasehold-cli")
public final class AbidesAsLeaf {
    private LettuceThing adapter;
    private TestAid aid;
}
