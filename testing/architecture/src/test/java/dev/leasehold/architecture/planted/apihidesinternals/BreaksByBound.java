package dev.leasehold.architecture.planted.apihidesinternals;

import dev.leasehold.architecture.planted.apihidesinternals.internal.Secret;
import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public final class BreaksByBound {
    public <T extends Secret> void take(T secret) {}
}
