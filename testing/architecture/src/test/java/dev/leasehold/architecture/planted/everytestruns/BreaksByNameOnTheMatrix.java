package dev.leasehold.architecture.planted.everytestruns;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-tck")
final class BreaksByNameOnTheMatrix extends Matrix {}
