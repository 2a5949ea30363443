package dev.leasehold.architecture.planted.smallknots.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksFour {
    private BreaksFive next;
}
