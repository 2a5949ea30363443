package dev.leasehold.architecture.planted.testsdonotpark;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.concurrent.locks.LockSupport;

@Plays(module = "leasehold-core", test = true)
final class BreaksByParking {
    void rest() {
        LockSupport.parkNanos(1);
    }
}
