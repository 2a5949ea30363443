package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.IncorrectException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Detects two threads that hold one lock at once. Costs a few nanoseconds. */
final class Witness {

    private final String what;
    private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();

    Witness(String what) {
        this.what = what;
    }

    void enter() {
        Thread other = inside.getAndSet(Thread.currentThread());
        if (other != null) {
            throw new IncorrectException(what + ": " + Thread.currentThread().getName() + " entered while "
                    + other.getName() + " was inside");
        }
    }

    void leave() {
        if (inside.getAndSet(null) != Thread.currentThread()) {
            throw new IncorrectException(what + ": another thread entered while "
                    + Thread.currentThread().getName() + " was inside");
        }
    }
}
