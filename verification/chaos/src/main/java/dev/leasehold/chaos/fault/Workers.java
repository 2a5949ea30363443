package dev.leasehold.chaos.fault;

import java.util.Random;

/** The worker processes, as faults see them. Thread-safe. */
public interface Workers {

    /** Stops one, lets it stand for so long, and lets it go on. */
    void stopOne(Random random, long millis) throws InterruptedException;

    /** Puts the wall clock of one forward or back by an hour, and right again after so long. */
    void moveClockOfOne(Random random, long millis) throws InterruptedException;

    /** Kills one, and starts another in its place. */
    void killOne(Random random) throws InterruptedException;
}
