package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.LockInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The histories of all names that refreshes saw held, the least recently held first. Not safe for several threads. */
final class Histories {

    /** The most names that are remembered beside those held now: about 50 MB if each has 50 tenures. */
    static final int MOST_FREE_NAMES = 2_000;

    private static final double MEDIAN = 0.5;
    private static final double TAIL = 0.99;
    private static final int CAPACITY = 256;
    private static final float LOAD = 0.75f;

    private final Map<String, LockHistory> byName = new LinkedHashMap<>(CAPACITY, LOAD, true);
    private final Decaying observed = new Decaying();

    /** Records one refresh and returns the held locks as they were given. */
    List<HeldLock> record(List<LockInfo> locks, Moment moment) {
        observed.add(moment.seconds(), moment);
        List<HeldLock> held = new ArrayList<>(locks.size());
        Set<String> names = new HashSet<>();
        for (LockInfo info : locks) {
            names.add(info.name());
            held.add(byName.computeIfAbsent(info.name(), none -> new LockHistory())
                    .held(info, moment));
        }
        byName.forEach((name, history) -> {
            if (!names.contains(name)) {
                history.free(moment);
            }
        });
        Iterator<String> oldestFirst = byName.keySet().iterator();
        for (int excess = byName.size() - names.size() - MOST_FREE_NAMES; excess > 0; excess--) {
            // The held ones were accessed last, so the first ones are free.
            oldestFirst.next();
            oldestFirst.remove();
        }
        return held;
    }

    /** Returns the tenures of a lock, the newest first. */
    List<Tenure> tenures(String name) {
        LockHistory history = byName.get(name);
        return history == null ? List.of() : history.tenures();
    }

    List<Heat> heat(Moment moment) {
        double seconds = observed.value(moment);
        List<Heat> heat = new ArrayList<>(byName.size());
        byName.forEach((name, history) -> heat.add(new Heat(
                name,
                seconds == 0 ? 0 : history.handOffs(moment) / seconds,
                seconds == 0 ? 0 : Math.min(1, history.heldSeconds(moment) / seconds),
                history.waited(MEDIAN),
                history.waited(TAIL),
                history.info())));
        return heat;
    }
}
