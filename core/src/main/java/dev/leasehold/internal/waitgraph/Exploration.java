package dev.leasehold.internal.waitgraph;

import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One look at the waits: asks processes, reads the locks that they wait for, and asks the processes of the holders, until nothing new
 * is found. It follows only waits that others depend on. Used by one thread.
 */
final class Exploration {

    /** Larger graphs are cut: people could not read them, and Redis has other work. */
    private static final int MOST_LOCKS = 2000;

    private static final int MOST_WAITS = 2000;

    private final WaitSource source;
    private final Map<String, Set<Long>> threads;
    private final Map<LockKey, InspectLock.State> locks = new LinkedHashMap<>();
    private final Map<String, List<WaitReport>> reports = new HashMap<>();
    private final Set<String> asked = new HashSet<>();
    private final List<Wait> found = new ArrayList<>();

    /** The threads are those whose stacks are wanted, by process. */
    Exploration(WaitSource source, Map<String, Set<Long>> threads) {
        this.source = source;
        this.threads = threads;
    }

    /** Returns the waits of these processes, and all on which they depend. */
    List<Wait> from(Collection<String> processes, Collection<LockKey> awaited) {
        ask(processes);
        List<Contender> next = new ArrayList<>();
        processes.forEach(process -> next.addAll(waiting(process)));
        read(awaited);
        awaited.forEach(key -> next.addAll(untold(key)));
        Set<Contender> seen = new HashSet<>(next);
        List<Contender> level = next;
        while (!level.isEmpty() && found.size() < MOST_WAITS) {
            List<Wait> waits = waits(level);
            found.addAll(waits.subList(0, Math.min(waits.size(), MOST_WAITS - found.size())));
            level = new ArrayList<>();
            for (Wait wait : waits) {
                for (Contender holder : wait.holders()) {
                    for (Contender waiter : waiting(holder.process())) {
                        if (holder.is(waiter) != Contender.Link.NONE && seen.add(waiter)) {
                            level.add(waiter);
                        }
                    }
                }
            }
        }
        return found;
    }

    /** The processes that were asked and did not answer. */
    List<String> silent() {
        return asked.stream()
                .filter(process -> !reports.containsKey(process))
                .sorted()
                .toList();
    }

    /** The stack of a thread; null if its process did not tell. */
    @Nullable
    List<String> stack(Contender waiter) {
        return reports.getOrDefault(waiter.process(), List.of()).stream()
                .map(report -> report.stacks().get(waiter.entry().threadId()))
                .filter(frames -> frames != null)
                .findFirst()
                .orElse(null);
    }

    private void ask(Collection<String> processes) {
        Set<String> unasked = new TreeSet<>(processes);
        unasked.removeAll(asked);
        unasked.remove("");
        if (!unasked.isEmpty()) {
            asked.addAll(unasked);
            reports.putAll(source.ask(unasked, threads));
        }
    }

    /** Reads the locks for which these wait, asks the processes of the holders, and returns the waits. */
    private List<Wait> waits(List<Contender> waiters) {
        read(waiters.stream().map(waiter -> waiter.entry().lockKey()).toList());
        Set<String> holders = new HashSet<>();
        for (Contender waiter : waiters) {
            for (InspectLock.Hold hold : state(waiter.entry().lockKey()).holds()) {
                holders.add(hold.holder().process());
            }
        }
        ask(holders);
        return waiters.stream().map(this::wait).toList();
    }

    /** Reads locks that were not read yet. */
    private void read(Collection<LockKey> keys) {
        locks.putAll(source.read(keys.stream()
                .distinct()
                .filter(key -> !locks.containsKey(key))
                .limit(Math.max(0, MOST_LOCKS - locks.size()))
                .toList()));
    }

    private InspectLock.State state(LockKey key) {
        return locks.getOrDefault(key, InspectLock.State.FREE);
    }

    private Wait wait(Contender waiter) {
        InspectLock.State state = state(waiter.entry().lockKey());
        boolean beside = waiter.entry().wants() == WaiterInfo.Wants.READ
                && state.heldByReaders()
                && state.waiters().stream().allMatch(InspectLock.Waiting::reads);
        // Its grant is on the way; or it is a reader that nobody is before, and enters beside those that are there; or
        // the lock is
        // retained, and released on request.
        boolean enters = state.holds().stream().anyMatch(hold -> isOf(waiter, hold)) || beside || state.retained();
        List<Contender> holders = new ArrayList<>();
        if (!enters) {
            for (InspectLock.Hold hold : state.holds()) {
                holders.addAll(holders(waiter, state, hold));
            }
        }
        return new Wait(waiter, holders, state.heldAsPermits());
    }

    private static boolean isOf(Contender contender, InspectLock.Hold hold) {
        return contender.entry().hold().equals(LeaseEntry.nameOf(hold.self().field()));
    }

    /** Returns who has a hold: several, if readers of one process share it. */
    private List<Contender> holders(Contender waiter, InspectLock.State state, InspectLock.Hold hold) {
        String process = hold.holder().process();
        String id = LeaseEntry.nameOf(hold.self().field());
        List<Contender> told = new ArrayList<>();
        for (WaitReport report : reports.getOrDefault(process, List.of())) {
            for (LeaseEntry entry : report.entries()) {
                if (!entry.waits()
                        && entry.hold().equals(id)
                        && entry.key().equals(waiter.entry().key())) {
                    boolean proved = report.proofs().prove(hold.self().field());
                    told.add(new Contender(
                            process, true, entry, proved ? report.proofs().report() : ""));
                }
            }
        }
        return told.isEmpty() ? List.of(untold(waiter, state.owner(), hold)) : told;
    }

    /** A process that answered has told all locks of those that wait. */
    private Contender untold(Contender waiter, @Nullable OwnerKey owner, InspectLock.Hold hold) {
        boolean told = reports.containsKey(hold.holder().process());
        return new Contender(
                hold.holder().process(),
                told,
                new LeaseEntry(
                        false,
                        "",
                        LeaseEntry.nameOf(hold.self().field()),
                        waiter.entry().key(),
                        waiter.entry().kind(),
                        waiter.entry().wants(),
                        millis(hold.since()),
                        told ? Contender.WAITS_FOR_NOTHING : 0,
                        hold.holder().thread(),
                        owner != null && owner.named() ? owner.name() : ""),
                "");
    }

    private List<Contender> waiting(String process) {
        return reports.getOrDefault(process, List.of()).stream()
                .flatMap(report -> report.entries().stream()
                        .filter(LeaseEntry::waits)
                        .map(entry -> new Contender(
                                process, true, entry, report.proofs().report())))
                .toList();
    }

    /** Returns those in the queue of a lock whose processes did not tell. */
    private List<Contender> untold(LockKey key) {
        List<Contender> waiters = new ArrayList<>();
        for (InspectLock.Waiting waiting : state(key).waiters()) {
            String process = waiting.holder().process();
            if (!process.isEmpty() && !reports.containsKey(process)) {
                WaiterInfo.Wants wants = waiting.reads()
                        ? WaiterInfo.Wants.READ
                        : waiting.permits() > 0 ? WaiterInfo.Wants.PERMITS : WaiterInfo.Wants.LOCK;
                OwnerKey owner = waiting.owner();
                waiters.add(new Contender(
                        process,
                        false,
                        new LeaseEntry(
                                true,
                                "",
                                "",
                                key.key(),
                                LockKind.STANDARD,
                                wants,
                                millis(waiting.since()),
                                0,
                                waiting.holder().thread(),
                                owner == null ? "" : owner.name()),
                        ""));
            }
        }
        return waiters;
    }

    private static long millis(@Nullable Instant since) {
        return since == null ? 0 : since.toEpochMilli();
    }
}
