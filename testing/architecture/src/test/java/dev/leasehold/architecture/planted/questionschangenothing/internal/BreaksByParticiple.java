package dev.leasehold.architecture.planted.questionschangenothing.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksByParticiple {
    private boolean invited = true;

    boolean invited() {
        boolean was = invited;
        invited = false;
        return was;
    }
}
