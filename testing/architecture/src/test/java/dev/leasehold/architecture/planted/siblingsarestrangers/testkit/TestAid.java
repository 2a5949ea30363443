package dev.leasehold.architecture.planted.siblingsarestrangers.testkit;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-testkit")
public final class TestAid {}
