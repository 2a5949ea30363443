package dev.leasehold.architecture.planted.questionschangenothing.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays
final class BreaksByQuestion {
    private int asked;

    boolean isDue() {
        asked++;
        return asked > 1;
    }
}
