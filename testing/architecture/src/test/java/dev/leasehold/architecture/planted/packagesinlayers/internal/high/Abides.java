package dev.leasehold.architecture.planted.packagesinlayers.internal.high;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class Abides {
    private BreaksDownwards beside;
}
