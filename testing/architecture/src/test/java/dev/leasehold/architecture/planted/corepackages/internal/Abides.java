package dev.leasehold.architecture.planted.corepackages.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
final class Abides {}
