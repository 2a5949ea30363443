package dev.leasehold.architecture.planted.nobodysleeps;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-core", test = true)
final class BreaksInTests {
    void rest() throws InterruptedException {
        Thread.sleep(1);
    }
}
