package dev.leasehold.architecture.planted.knowntags;

import dev.leasehold.architecture.planted.internal.Plays;
import org.junit.jupiter.api.Tag;

@Plays(module = "leasehold-core", test = true)
@Tag("full")
@Tag("weekly")
final class BreaksByTag {}
