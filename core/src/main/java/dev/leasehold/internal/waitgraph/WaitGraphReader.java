package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads who waits for whom, and finds deadlocks. Processes and Redis are asked one after another, so what one look shows need not have
 * existed at any one moment. A cycle is therefore read a second time: a wait or a hold that both looks show, under an id that no other
 * has, lasted from the first to the second, and so all of the cycle existed when the first look ended. Everybody with the right to
 * publish can answer for a process. So a cycle is certain only if in both looks each holder told of its thread in a report that proves
 * that its author knows the hold which Redis has. It sends requests on the caller's thread. Safe for use by several threads.
 */
public final class WaitGraphReader {

    private final KeyPrefix prefix;
    private final LocalWaits local;
    private final ServerQueries queries;
    private final ServerFeatures features;
    private final Supplier<AcquisitionId> ids;
    private final Inspection inspection;
    private final TimeSource time;

    /**
     * Creates a reader; nothing is sent.
     *
     * @param features tell whether the reply to PUBLISH is the number of all clients that received it
     */
    public WaitGraphReader(
            KeyPrefix prefix,
            LocalWaits local,
            ServerQueries queries,
            ServerFeatures features,
            Supplier<AcquisitionId> ids,
            Inspection inspection,
            TimeSource time) {
        this.prefix = prefix;
        this.local = local;
        this.queries = queries;
        this.features = features;
        this.ids = ids;
        this.inspection = inspection;
        this.time = time;
    }

    /** Returns the waits of all processes that hold one of these locks or have a position in its queue, and their deadlocks. */
    public WaitGraph graph(Map<LockKey, InspectLock.State> locks) {
        return graph(processes(locks), awaited(locks));
    }

    /** Returns the waits of this process and those on which they depend, and their deadlocks. */
    WaitGraph graphOf(String process) {
        return graph(List.of(process), List.of());
    }

    private WaitGraph graph(Collection<String> processes, Collection<LockKey> awaited) {
        boolean countsReceivers = features.include(Capability.COUNTS_RECEIVERS);
        try (WaitInquiry inquiry = new WaitInquiry(prefix, queries, countsReceivers, ids, inspection, time)) {
            return withOwnStacks(graph(inquiry, processes, awaited));
        }
    }

    /** Adds the stacks of this client, which do not travel through Redis. */
    private WaitGraph withOwnStacks(WaitGraph graph) {
        return graph.deadlocks().isEmpty()
                ? graph
                : new WaitGraph(
                        graph.waits(),
                        graph.silent(),
                        graph.deadlocks().stream().map(this::withOwnStacks).toList());
    }

    private Deadlock withOwnStacks(Deadlock deadlock) {
        Map<LockParty, List<String>> stacks = new HashMap<>(deadlock.stacks());
        for (LockWait wait : deadlock.cycle()) {
            LockParty waiter = wait.waiter();
            List<String> own =
                    local.isOf(waiter) ? local.stacks(Set.of(waiter.threadId())).get(waiter.threadId()) : null;
            if (own != null) {
                stacks.putIfAbsent(waiter, own);
            }
        }
        return new Deadlock(deadlock.cycle(), deadlock.certain(), stacks);
    }

    /** Returns the waits of these processes and in the queues of these locks, and their deadlocks. */
    static WaitGraph graph(WaitSource source, Collection<String> processes, Collection<LockKey> awaited) {
        Exploration look = new Exploration(source, Map.of());
        List<Wait> waits = look.from(processes, awaited);
        List<Cycles.Cycle> cycles = new Cycles(waits).find();
        return new WaitGraph(
                waits.stream().map(WaitGraphReader::shown).toList(),
                look.silent(),
                cycles.isEmpty() ? List.of() : confirmed(source, cycles));
    }

    /** Waiters behind a lease of their own process have no position. */
    private static Set<String> processes(Map<LockKey, InspectLock.State> locks) {
        Set<String> processes = new HashSet<>();
        for (InspectLock.State state : locks.values()) {
            state.holds().forEach(hold -> processes.add(hold.holder().process()));
            state.waiters().forEach(waiting -> processes.add(waiting.holder().process()));
        }
        return processes;
    }

    private static List<LockKey> awaited(Map<LockKey, InspectLock.State> locks) {
        return locks.keySet().stream()
                .filter(key -> !locks.getOrDefault(key, InspectLock.State.FREE)
                        .waiters()
                        .isEmpty())
                .toList();
    }

    /** Looks at the cycles again, and returns those that are still there. */
    private static List<Deadlock> confirmed(WaitSource source, List<Cycles.Cycle> cycles) {
        Map<String, Set<Long>> threads = new HashMap<>();
        Set<LockKey> locks = new HashSet<>();
        for (Cycles.Cycle cycle : cycles) {
            for (Wait wait : cycle.waits()) {
                threads.computeIfAbsent(wait.waiter().process(), process -> new HashSet<>())
                        .add(wait.waiter().entry().threadId());
                locks.add(wait.waiter().entry().lockKey());
            }
        }
        Exploration again = new Exploration(source, threads);
        List<Wait> waits = again.from(threads.keySet(), locks);
        List<Deadlock> confirmed = new ArrayList<>();
        for (Cycles.Cycle cycle : cycles) {
            if (isStill(cycle, waits)) {
                confirmed.add(deadlock(cycle, cycle.certain() && isProvedAgain(cycle, waits), again));
            }
        }
        return confirmed;
    }

    private static boolean isStill(Cycles.Cycle cycle, List<Wait> waits) {
        for (int i = 0; i < cycle.waits().size(); i++) {
            Wait before = cycle.waits().get(i);
            Wait next = cycle.after(i);
            if (waits.stream().noneMatch(wait -> wait.isStill(before, next))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isProvedAgain(Cycles.Cycle cycle, List<Wait> waits) {
        for (int i = 0; i < cycle.waits().size(); i++) {
            Wait before = cycle.waits().get(i);
            Wait next = cycle.after(i);
            if (waits.stream()
                    .filter(wait -> wait.isStill(before, next))
                    .noneMatch(wait -> waits.stream()
                            .filter(other -> other.waiter().same(next.waiter()))
                            .anyMatch(other -> wait.dependsOn(other) == Contender.Link.CERTAIN))) {
                return false;
            }
        }
        return true;
    }

    private static Deadlock deadlock(Cycles.Cycle cycle, boolean certain, Exploration look) {
        List<LockWait> shown = new ArrayList<>();
        Map<LockParty, List<String>> stacks = new HashMap<>();
        for (Wait wait : cycle.waits()) {
            shown.add(shown(wait));
            List<String> stack = look.stack(wait.waiter());
            if (stack != null) {
                stacks.put(wait.waiter().party(), stack);
            }
        }
        return new Deadlock(shown, certain, stacks);
    }

    private static LockWait shown(Wait wait) {
        return wait.shown(wait.waiter().entry().lockKey().name());
    }
}
