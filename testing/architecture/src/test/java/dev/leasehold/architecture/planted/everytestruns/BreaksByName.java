package dev.leasehold.architecture.planted.everytestruns;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core", test = true)
final class BreaksByName extends Contract {}
