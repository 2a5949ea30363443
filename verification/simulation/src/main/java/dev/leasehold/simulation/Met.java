package dev.leasehold.simulation;

import java.util.EnumMap;
import java.util.Map;

/** How often each kind of fault took effect, and how often there was what only some seeds have. */
final class Met {

    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private long handedOn;
    private long several;
    private final Map<Deed, Long> deeds = new EnumMap<>(Deed.class);

    /** What only some seeds have. */
    enum Deed {
        CAME_THROUGH("no wait for a latch was ever over because nothing was left to count"),
        LATCH_EXPIRED("no latch was ever gone while it was waited for"),
        ELECTED("nobody was ever elected"),
        DEPOSED("no leader ever lost its lease"),
        RESIGNED("no leader ever gave its term up"),
        RESUMED("no lease was ever resumed"),
        RESUMED_IN_VAIN("no exported lease was ever resumed that was gone"),
        TAKEN_FROM("no holder of an exported lease ever heard that it was taken over"),
        ROLL_CALLED("no client ever told of several places at once that they are alive"),
        HEARD("no holder ever heard that it is asked to release");

        final String never;

        Deed(String never) {
            this.never = never;
        }
    }

    void count(FaultKind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    void handedOn() {
        handedOn++;
    }

    long timesHandedOn() {
        return handedOn;
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
        handedOn += other.handedOn;
        other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    }

    long of(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
