package dev.leasehold.simulation;

import java.util.EnumMap;
import java.util.Map;

/** How often each kind of fault took effect. */
final class Met {

    private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);

    void count(FaultKind kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    void add(Met other) {
        other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    }

    long of(FaultKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
