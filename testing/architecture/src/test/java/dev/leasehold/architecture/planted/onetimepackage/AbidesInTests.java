package dev.leasehold.architecture.planted.onetimepackage;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core", test = true)
final class AbidesInTests {
    long now() {
        return System.nanoTime();
    }
}
