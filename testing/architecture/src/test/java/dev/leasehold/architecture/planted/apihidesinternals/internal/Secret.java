package dev.leasehold.architecture.planted.apihidesinternals.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public interface Secret {}
