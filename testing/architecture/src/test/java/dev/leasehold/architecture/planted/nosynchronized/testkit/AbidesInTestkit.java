package dev.leasehold.architecture.planted.nosynchronized.testkit;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-testkit")
final class AbidesInTestkit {
    synchronized void enter() {}
}
