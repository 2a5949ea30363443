package dev.leasehold.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * The features of a seed of {@link SeedRange#MIXED}: each is drawn for itself, so any two of them meet in some seeds.
 */
enum Feature {
    /** Most waiters use the queue; else they poll. */
    WAKE_UPS(70),
    /** The leases of a client are alike, and its many workers mostly want one lock, so that it hands the lock off. */
    HAND_OFF(35),
    FAIR_QUEUES(35),
    READERS(40),
    SEMAPHORES(40),
    /** Some acquisitions request several permits. */
    SEVERAL_PERMITS(50),
    PLAIN_LOCKS(20),
    NAMED_OWNERS(40),
    SEVERAL_LOCKS(30),
    RETENTION(35),
    MINIMUM_HOLD(25),
    EXPORTS(35),
    REQUESTS_TO_RELEASE(35),
    FORCED_RELEASES(25),
    CHANGED_PERMITS(40),
    TRACKED_KEYS(50),
    COMBINED_CALLS(12),
    LATCHES(15),
    ELECTION(15),
    REPLICA(20),
    /** Some clients wait for 5 to 50 ms at most, whatever they request. */
    IMPATIENT_CLIENTS(30),
    /** Callers give up calls of every kind. */
    CANCELLATION(50),
    /** Only connections fail, one at a time: so rules for quiet times are applied between faults. */
    CALM(30);

    private final int percent;

    Feature(int percent) {
        this.percent = percent;
    }

    /** Draws each of them. */
    static Set<Feature> drawn(Draws draws) {
        Set<Feature> drawn = EnumSet.noneOf(Feature.class);
        for (Feature feature : values()) {
            if (draws.chance(feature.percent)) {
                drawn.add(feature);
            }
        }
        return drawn;
    }
}
