package dev.leasehold.chaos.fault;

import java.util.Random;

/** The worker processes, as faults see them. Thread-safe. */
public interface Workers {

    /** Stops one, waits for so long, and resumes it. */
    void stopOne(Random random, long millis) throws InterruptedException;

    /** Moves the wall clock of one forward or back by an hour, and back to the right time after so long. */
    void moveClockOfOne(Random random, long millis) throws InterruptedException;

    /** Kills one, and starts another instead. */
    void killOne(Random random) throws InterruptedException;
}
