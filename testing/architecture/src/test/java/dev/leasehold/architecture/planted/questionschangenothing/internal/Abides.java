package dev.leasehold.architecture.planted.questionschangenothing.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class Abides {
    private boolean invited;

    boolean invited() {
        return invited;
    }

    boolean takeInvitation() {
        boolean was = invited;
        invited = false;
        return was;
    }

    boolean answered(int code) {
        invited = code > 0;
        return invited;
    }
}
