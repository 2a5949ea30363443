package dev.leasehold.architecture.planted.corepackages;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
final class BreaksByPackage {}
