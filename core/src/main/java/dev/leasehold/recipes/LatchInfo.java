package dev.leasehold.recipes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The remaining count of a latch, as Redis saw it at one moment.
 *
 * @param name the latch
 * @param round the number of the present {@linkplain DistributedLatch#round round}; null if the latch has none
 * @param count the number of count-downs left; 0 if the latch is reached
 * @param left the time until the latch expires; null if it is reached
 */
public record LatchInfo(
        String name,
        @Nullable Long round,
        int count,
        @Nullable Duration left) {}
