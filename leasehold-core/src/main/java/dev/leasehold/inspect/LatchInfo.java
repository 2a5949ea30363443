package dev.leasehold.inspect;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is left to count of a latch, as Redis saw it at one moment.
 *
 * @param name the latch
 * @param count how many count-downs are left; 0 if it is reached
 * @param left how long until its time is over; null if it is reached
 */
public record LatchInfo(String name, int count, @Nullable Duration left) {}
