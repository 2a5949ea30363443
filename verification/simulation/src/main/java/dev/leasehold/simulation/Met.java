package dev.leasehold.simulation;

import java.util.EnumMap;
import java.util.Map;

/** How often each kind of fault took effect, how often a lock was handed on within a client, and two taken together. */
final class Met {

    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private long handedOn;
    private long several;

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

    void add(Met other) {
        several += other.several;
        handedOn += other.handedOn;
        other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    }

    long of(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
