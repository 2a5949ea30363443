package dev.leasehold.architecture.planted.onlytoolsprint.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
final class BreaksByStack {
    void say(Exception e) {
        e.printStackTrace();
    }
}
