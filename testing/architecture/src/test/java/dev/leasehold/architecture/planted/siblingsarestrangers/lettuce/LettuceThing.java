package dev.leasehold.architecture.planted.siblingsarestrangers.lettuce;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public final class LettuceThing {}
