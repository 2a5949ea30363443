package dev.leasehold.simulation;

import java.util.EnumMap;
import java.util.Map;

/** How often each kind of fault took effect, and how often a lock was handed on within a client. */
final class Met {

    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
    private long handedOn;

    void count(FaultKind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    void handedOn() {
        handedOn++;
    }

    long timesHandedOn() {
        return handedOn;
    }

    void add(Met other) {
        handedOn += other.handedOn;
        other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    }

    long of(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
