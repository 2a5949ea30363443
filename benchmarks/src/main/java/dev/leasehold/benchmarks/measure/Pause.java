package dev.leasehold.benchmarks.measure;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Lets time pass. */
public final class Pause {

    private Pause() {}

    /** Waits until this moment of {@link System#nanoTime()}. */
    public static void until(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Waits for so long. */
    public static void of(Duration time) {
        until(System.nanoTime() + time.toNanos());
    }
}
