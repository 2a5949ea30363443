package dev.leasehold.internal.waitgraph;

import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseState;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What this client knows of its own threads: which wait for a lock, and which locks these have. Safe for use by any thread. */
public final class LocalWaits {

    /** A message of Redis stays below some hundred kilobytes. */
    static final int MOST_ENTRIES = 500;

    private static final int MOST_FRAMES = 40;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final String process;
    private final LeaseTable leases;
    private final TimeSource time;

    /** The process is pid@host. */
    public LocalWaits(String process, LeaseTable leases, TimeSource time) {
        this.process = new Holder(process, "", "").process();
        this.leases = leases;
        this.time = time;
    }

    /** The process as it stands beside its holds in Redis. */
    String process() {
        return process;
    }

    /** Returns whether somebody who waits or holds is of this process. */
    boolean isOf(LockParty party) {
        return process.equals(party.pid() + "@" + party.host());
    }

    /** Returns whether a lease has waited for so long. */
    boolean waitsSince(long nanos) {
        long now = time.nanoTime();
        return leases.all().stream().anyMatch(record -> waits(record) && now - record.grantedAt() >= nanos);
    }

    private static boolean waits(LeaseRecord record) {
        return record.state() == LeaseState.ACQUIRING && record.key().kind() != LockKind.QUORUM;
    }

    /** Returns the stacks of these threads, as far as they wait. */
    Map<Long, List<String>> stacks(Set<Long> threads) {
        Set<Thread> waiting = new HashSet<>();
        for (LeaseRecord record : leases.all()) {
            Thread thread = record.thread();
            if (thread != null && waits(record)) {
                waiting.add(thread);
            }
        }
        return stacks(waiting, threads);
    }

    /**
     * Answers a question: what waits, the locks that those who wait have, and the stacks of these threads, if they wait. The ids of
     * their holds prove that the answer is of this process.
     */
    String answer(String question, Set<Long> threads) {
        List<LeaseEntry> entries = new ArrayList<>();
        Set<Thread> waiting = new HashSet<>();
        Set<String> owners = new HashSet<>();
        Set<String> holds = new LinkedHashSet<>();
        boolean unbound = false;
        for (LeaseRecord record : leases.all()) {
            if (waits(record) && entries.size() < MOST_ENTRIES) {
                entries.add(entry(record, true));
                Thread thread = record.thread();
                unbound |= thread == null;
                if (thread != null) {
                    waiting.add(thread);
                }
                if (record.ofNamedOwner()) {
                    owners.add(record.owner().name());
                }
            }
        }
        for (LeaseRecord record : leases.all()) {
            Thread thread = record.thread();
            // Nobody knows for which task of the process an unbound lease is held: perhaps for one that waits.
            boolean ofThese = thread == null ? unbound : waiting.contains(thread);
            if (record.holding()
                    && entries.size() < MOST_ENTRIES
                    && (ofThese
                            || (record.ofNamedOwner()
                                    && owners.contains(record.owner().name())))) {
                entries.add(entry(record, false));
                holds.add(record.hold().value());
            }
        }
        return new WaitReport(process, entries, stacks(waiting, threads), ReportProofs.NONE).text(question, holds);
    }

    private LeaseEntry entry(LeaseRecord record, boolean waits) {
        long ago = (time.nanoTime() - record.grantedAt()) / NANOS_PER_MILLI;
        return LeaseEntry.of(record, waits, time.wallMillis() - ago);
    }

    private static Map<Long, List<String>> stacks(Set<Thread> waiting, Set<Long> asked) {
        Map<Long, List<String>> stacks = new HashMap<>();
        for (Thread thread : waiting) {
            if (asked.contains(thread.getId())) {
                stacks.put(
                        thread.getId(),
                        Arrays.stream(thread.getStackTrace())
                                .limit(MOST_FRAMES)
                                .map(StackTraceElement::toString)
                                .toList());
            }
        }
        return stacks;
    }
}
