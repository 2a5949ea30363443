package dev.leasehold.simulation;

import java.util.EnumMap;
import java.util.Map;

/** Counts of the faults that took effect, and of events that only some seeds have. */
final class Met {

    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private long handedOff;
    private long several;
    private final Map<Deed, Long> deeds = new EnumMap<>(Deed.class);

    /** Events that only some seeds have. */
    enum Deed {
        PASSED("no wait for a latch ever ended because nothing was left to count"),
        LATCH_EXPIRED("no latch ever expired during a wait for it"),
        ELECTED("no candidate was ever elected"),
        DEPOSED("no leader ever lost its lease"),
        RESIGNED("no leader ever resigned"),
        RESUMED("no lease was ever resumed"),
        RESUMED_IN_VAIN("no resume ever failed because the exported lease was gone"),
        TAKEN_FROM("no holder of an exported lease was ever notified that it was resumed elsewhere"),
        ROLL_CALLED("no client ever sent the heartbeats of several positions at once"),
        HEARD("no holder ever received a release request"),
        TAKEN_OVER("no retained hold was ever taken over"),
        GIVEN_UP("no client was ever asked to release a lock that it retained"),
        ACQUIRED_TOGETHER("no acquisitions of several locks ever left as one call"),
        RELEASED_TOGETHER("no release ever left with another request"),
        LEFT_UNDECIDED("no entry of a common call was ever left undecided"),
        DOWNGRADED("no writer ever became a reader"),
        FORCED("no lock was ever taken from its holders"),
        PERMITS_CHANGED("the number of permits of a semaphore was never changed"),
        KEPT("no released hold was ever kept for its minimum");

        final String never;

        Deed(String never) {
            this.never = never;
        }
    }

    void count(FaultKind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    void handedOff() {
        handedOff++;
    }

    long timesHandedOff() {
        return handedOff;
    }

    void several() {
        several++;
    }

    long timesSeveral() {
        return several;
    }

    void count(Deed deed) {
        deeds.merge(deed, 1L, Long::sum);
    }

    long of(Deed deed) {
        return deeds.getOrDefault(deed, 0L);
    }

    void add(Met other) {
        other.deeds.forEach((deed, count) -> deeds.merge(deed, count, Long::sum));
        several += other.several;
        handedOff += other.handedOff;
        other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    }

    long of(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
