package dev.leasehold.architecture.planted.siblingsarestrangers.core.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
public final class Engine {}
