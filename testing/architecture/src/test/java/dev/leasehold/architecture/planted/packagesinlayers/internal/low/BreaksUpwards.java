package dev.leasehold.architecture.planted.packagesinlayers.internal.low;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.packagesinlayers.internal.high.BreaksDownwards;

@Plays
public final class BreaksUpwards {
    private BreaksDownwards above;
}
