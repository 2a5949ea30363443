package dev.leasehold.architecture.planted.nosynchronized.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
final class BreaksByMethod {
    synchronized void enter() {}
}
