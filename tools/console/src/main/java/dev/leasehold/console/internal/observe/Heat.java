package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How busy a name was in about the last minute of observation.
 *
 * @param name the lock
 * @param handOffs the changes of its holder a second that refreshes saw; several within one refresh count once
 * @param share the share of time in which it was held, from 0 to 1
 * @param median how long half of the waits took at most that refreshes saw; null if they saw none
 * @param tail how long 99 of 100 of them took at most; null if there was none
 * @param info the lock, or null if it is free now
 */
public record Heat(
        String name,
        double handOffs,
        double share,
        @Nullable Duration median,
        @Nullable Duration tail,
        @Nullable LockInfo info) {

    /** Returns how many wait now. */
    public int waiting() {
        return info == null ? 0 : info.waiters().size();
    }
}
