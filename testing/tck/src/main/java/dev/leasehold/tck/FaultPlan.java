package dev.leasehold.tck;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The faults in force at one proxy. Used on the proxy's thread only. */
final class FaultPlan {

    private final List<Fault> faults = new ArrayList<>();
    private final Map<Direction, Long> delays = new EnumMap<>(Direction.class);
    private final Set<Direction> swallowed = EnumSet.noneOf(Direction.class);

    void add(Fault fault) {
        faults.add(fault);
    }

    /** Returns whether a fault of this kind applies; the first one that applies, in the order of creation, counts. */
    boolean strikes(Fault.Kind kind, String request) {
        faults.removeIf(Fault::isOver);
        for (Fault fault : faults) {
            if (fault.strikes(kind, request)) {
                return true;
            }
        }
        return false;
    }

    void cancel(Fault.Kind kind) {
        faults.stream().filter(fault -> fault.kind() == kind).forEach(Fault::cancel);
    }

    void delay(Direction direction, long nanos) {
        delays.put(direction, nanos);
    }

    long delay(Direction direction) {
        return delays.getOrDefault(direction, 0L);
    }

    void swallow(Direction direction) {
        swallowed.add(direction);
    }

    boolean swallows(Direction direction) {
        return swallowed.contains(direction);
    }

    void clear() {
        faults.forEach(Fault::cancel);
        faults.clear();
        delays.clear();
        swallowed.clear();
    }
}
