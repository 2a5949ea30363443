package dev.leasehold.annotation;

import dev.leasehold.Durability;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Converts the properties of locks, which are the same in all frameworks, to options. */
public final class LockProperties {

    private static final Duration FOR_REPLICAS = Duration.ofMillis(200);
    private static final Duration FOR_DISKS = Duration.ofSeconds(2);

    private LockProperties() {}

    /**
     * Returns how a lease is renewed.
     *
     * @param ratio the part of the lease after which it is renewed; 0 for no renewal; null for the default
     * @param times the largest number of renewals; 0 for no renewal; null for as many as needed
     * @return the renewal
     */
    public static Renewal renewal(@Nullable Double ratio, @Nullable Integer times) {
        Renewal base = Renewal.whileHeld();
        double part = ratio == null ? base.ratio() : ratio;
        int most = times == null ? base.times() : times;
        return part == 0 || most == 0 ? Renewal.none() : new Renewal(part, most);
    }

    /**
     * Returns how an acquisition waits.
     *
     * @param pollInterval the mean time between two tries of a waiter that polls; null for one that is woken
     * @param maxTries the largest number of tries; null for as many as the time limit allows
     * @return the strategy
     */
    public static WaitStrategy waitStrategy(@Nullable Duration pollInterval, @Nullable Integer maxTries) {
        WaitStrategy base = pollInterval == null ? WaitStrategy.woken() : WaitStrategy.polling(pollInterval);
        return maxTries == null ? base : new WaitStrategy(base.interval(), maxTries, base.wakeUps());
    }

    /**
     * Returns what has to have a lock before it counts as acquired.
     *
     * @param replicas the number of replicas
     * @param onDisk whether the primary and the replicas must have it on disk
     * @param within how long to wait for them; null for 200 ms, on disk for 2 s
     * @return the durability
     */
    public static Durability durability(int replicas, boolean onDisk, @Nullable Duration within) {
        if (onDisk) {
            return Durability.onDisk(replicas, within == null ? FOR_DISKS : within);
        }
        return replicas == 0
                ? Durability.none()
                : Durability.replicas(replicas, within == null ? FOR_REPLICAS : within);
    }
}
