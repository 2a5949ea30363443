package dev.leasehold.architecture.planted.onetimepackage.internal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core")
final class BreaksByCall {
    long now() {
        return System.nanoTime();
    }
}
