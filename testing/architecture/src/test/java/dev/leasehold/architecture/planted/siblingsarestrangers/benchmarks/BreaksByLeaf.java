package dev.leasehold.architecture.planted.siblingsarestrangers.benchmarks;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.siblingsarestrangers.cli.AbidesAsLeaf;

@Plays(module = "benchmarks")
final class BreaksByLeaf {
    private AbidesAsLeaf commandLine;
}
