package dev.leasehold.architecture.planted.onepackageonemodule;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
final class BreaksInOneModule {}
