package dev.leasehold.architecture.planted.nobodysleeps;

import dev.leasehold.architecture.planted.internal.Plays;
import java.util.concurrent.TimeUnit;

@Plays(module = "leasehold-cli")
final class BreaksByUnit {
    void rest() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
    }
}
