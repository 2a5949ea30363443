package dev.leasehold.architecture.planted.nothingskipped;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.Disabled;

@Plays(module = "leasehold-core", test = true)
@Disabled
final class BreaksByDisabling {}
