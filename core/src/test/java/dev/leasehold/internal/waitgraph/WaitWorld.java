package dev.leasehold.internal.waitgraph;

import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Threads of several processes that acquire, wait for, give up, release and lose locks, one random step after another. It goes on between
 * any two answers to a look, and remembers which thread waited for which at each moment.
 */
final class WaitWorld implements WaitSource {

    private static final int MOST_STEPS_BETWEEN_ANSWERS = 10;

    private final Random random;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Resource> locks = new ArrayList<>();
    private final Set<Set<Edge>> moments = new HashSet<>();
    private boolean frozen;
    private int ids;

    /** A thread waits for a lock that another one has. */
    record Edge(long waiter, String lock, long holder) {}

    /** A thread with what its process believes that it holds, and what it waits for. */
    private static final class Actor {
        final long id;
        final String process;
        final List<Lease> held = new ArrayList<>();
        Lease wanted;

        Actor(long id, String process) {
            this.id = id;
            this.process = process;
        }
    }

    /** An acquisition by a thread; waiting as long as its thread wants it. */
    private record Lease(String id, Actor actor, Resource lock, boolean reads) {}

    /** A lock as Redis has it: the leases that hold it, and those in its queue. */
    private static final class Resource {
        final LockKey key;
        final List<Lease> holders = new ArrayList<>();
        final List<Lease> queue = new ArrayList<>();

        Resource(LockKey key) {
            this.key = key;
        }

        boolean admits(Lease lease) {
            boolean readersOnly = holders.stream().allMatch(Lease::reads);
            boolean writerWaits = queue.stream().anyMatch(other -> other != lease && !other.reads());
            return holders.isEmpty() || (lease.reads() && readersOnly && !writerWaits);
        }
    }

    WaitWorld(long seed) {
        random = new Random(seed);
        int processes = 1 + random.nextInt(4);
        for (int i = 0; i < 2 + random.nextInt(5); i++) {
            actors.add(new Actor(i + 1, (1 + random.nextInt(processes)) + "@host"));
        }
        for (int i = 0; i < 2 + random.nextInt(4); i++) {
            locks.add(new Resource(new LockKey("lh:{" + (char) ('a' + i) + "}")));
        }
        for (int i = 0; i < random.nextInt(60); i++) {
            step();
        }
    }

    /** From now on nothing happens, and every grant reaches its thread. */
    void freeze() {
        actors.forEach(this::deliver);
        frozen = true;
        remember();
    }

    List<String> processes() {
        return actors.stream().map(actor -> actor.process).distinct().toList();
    }

    List<LockKey> keys() {
        return locks.stream().map(lock -> lock.key).toList();
    }

    /** Returns whether all these waits existed at one moment. */
    boolean existedAtOnce(Set<Edge> edges) {
        return moments.stream().anyMatch(moment -> moment.containsAll(edges));
    }

    /** Returns whether threads wait in a cycle now. */
    boolean isDeadlocked() {
        Set<Edge> edges = edges();
        return actors.stream().anyMatch(actor -> reaches(actor.id, actor.id, edges, new HashSet<>()));
    }

    private static boolean reaches(long from, long to, Set<Edge> edges, Set<Long> seen) {
        return edges.stream()
                .filter(edge -> edge.waiter() == from)
                .anyMatch(edge ->
                        edge.holder() == to || (seen.add(edge.holder()) && reaches(edge.holder(), to, edges, seen)));
    }

    private void step() {
        Actor actor = actors.get(random.nextInt(actors.size()));
        if (actor.wanted != null) {
            Lease wanted = actor.wanted;
            if (!wanted.lock().queue.contains(wanted)) {
                deliver(actor);
            } else if (random.nextInt(8) == 0) {
                wanted.lock().queue.remove(wanted);
                actor.wanted = null;
            } else {
                grant(wanted);
            }
        } else if (!actor.held.isEmpty() && random.nextInt(3) == 0) {
            Lease ended = actor.held.remove(random.nextInt(actor.held.size()));
            ended.lock().holders.remove(ended);
        } else if (random.nextInt(12) == 0) {
            lose(locks.get(random.nextInt(locks.size())));
        } else {
            Resource lock = locks.get(random.nextInt(locks.size()));
            actor.wanted = new Lease("lease" + ++ids, actor, lock, random.nextInt(4) == 0);
            lock.queue.add(actor.wanted);
            grant(actor.wanted);
        }
        remember();
    }

    /** Redis grants it; its thread learns of that later. */
    private static void grant(Lease lease) {
        if (lease.lock().admits(lease)) {
            lease.lock().queue.remove(lease);
            lease.lock().holders.add(lease);
        }
    }

    private void deliver(Actor actor) {
        Lease wanted = actor.wanted;
        if (wanted != null && !wanted.lock().queue.contains(wanted)) {
            actor.held.add(wanted);
            actor.wanted = null;
        }
    }

    /** Redis loses a lock; the threads that hold it believe that they still do. */
    private static void lose(Resource lock) {
        lock.holders.clear();
    }

    private void remember() {
        moments.add(edges());
    }

    private Set<Edge> edges() {
        Set<Edge> edges = new HashSet<>();
        for (Resource lock : locks) {
            for (Lease waiting : lock.queue) {
                if (!lock.admits(waiting)) {
                    lock.holders.forEach(
                            holder -> edges.add(new Edge(waiting.actor().id, lock.key.key(), holder.actor().id)));
                }
            }
        }
        return edges;
    }

    private void goOn() {
        for (int i = frozen ? 0 : random.nextInt(MOST_STEPS_BETWEEN_ANSWERS); i > 0; i--) {
            step();
        }
    }

    @Override
    public Map<String, List<WaitReport>> ask(Collection<String> processes, Map<String, Set<Long>> threads) {
        Map<String, List<WaitReport>> reports = new HashMap<>();
        for (String process : processes) {
            goOn();
            reports.put(process, List.of(report(process)));
        }
        return reports;
    }

    /** Tells what waits, and the locks that those who wait have. */
    private WaitReport report(String process) {
        List<LeaseEntry> entries = new ArrayList<>();
        List<String> holds = new ArrayList<>();
        for (Actor actor : actors) {
            if (actor.process.equals(process) && actor.wanted != null) {
                entries.add(entry(actor.wanted, true));
                actor.held.forEach(lease -> {
                    entries.add(entry(lease, false));
                    holds.add(lease.id());
                });
            }
        }
        WaitReport report = new WaitReport(process, entries, Map.of(), ReportProofs.NONE);
        return Objects.requireNonNull(WaitReport.read("question", report.text("question", holds)));
    }

    private static LeaseEntry entry(Lease lease, boolean waits) {
        return new LeaseEntry(
                waits,
                lease.id(),
                LeaseEntry.nameOf(lease.id()),
                lease.lock().key.key(),
                LockKind.STANDARD,
                lease.reads() ? WaiterInfo.Wants.READ : WaiterInfo.Wants.LOCK,
                1,
                lease.actor().id,
                "thread " + lease.actor().id,
                "");
    }

    @Override
    public Map<LockKey, InspectLock.State> read(Collection<LockKey> keys) {
        return keys.stream().collect(Collectors.toMap(key -> key, this::read));
    }

    private InspectLock.State read(LockKey key) {
        goOn();
        Resource lock = locks.stream()
                .filter(resource -> resource.key.equals(key))
                .findFirst()
                .orElseThrow();
        Optional<Lease> first = lock.holders.stream().findFirst();
        List<InspectLock.Hold> holds = lock.holders.stream()
                .map(lease -> new InspectLock.Hold(OwnerKey.read(lease.id()), null, 1, 1, holder(lease)))
                .toList();
        List<InspectLock.Waiting> queue = IntStream.range(0, lock.queue.size())
                .mapToObj(i -> lock.queue.get(i))
                .map(lease -> new InspectLock.Waiting(lease.reads(), 0, true, null, holder(lease), null))
                .toList();
        return new InspectLock.State(
                first.map(lease -> OwnerKey.read(lease.reads() ? OwnerKey.READERS : lease.id()))
                        .orElse(null),
                holds,
                0,
                false,
                false,
                0,
                false,
                queue,
                "");
    }

    private static Holder holder(Lease lease) {
        return new Holder(lease.actor().process, "thread " + lease.actor().id, "");
    }
}
