package dev.leasehold.architecture.planted.packagesinlayers.internal.high;

import dev.leasehold.architecture.planted.internal.Plays;
import dev.leasehold.architecture.planted.packagesinlayers.internal.low.BreaksUpwards;

@Plays
public final class BreaksDownwards {
    private BreaksUpwards below;
}
