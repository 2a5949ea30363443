package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wakeup.WakeListener;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions of this client that wait fairly. Each has a position of its own in the queue of its lock, in the order in
 * which Redis registered them, and is woken by its own wake-up. A poll from time to time is the heartbeat of all.
 */
public final class FairWaiters {

    /** With the poll of the waiter before it, less than the 7 s after which a waiter without heartbeat is taken for dead. */
    private static final long EXEMPT_NANOS = 1_500_000_000L;

    private final WakeListener wakeUps;
    private final QueuePositions positions;
    private final QueueUpdates updates;
    private final AtomicLong arrivals = new AtomicLong();
    private final Map<LockKey, Group> groups = new ConcurrentHashMap<>();

    public FairWaiters(WakeListener wakeUps, QueuePositions positions, QueueUpdates updates) {
        this.wakeUps = wakeUps;
        this.positions = positions;
        this.updates = updates;
    }

    /**
     * The fair waiters of one lock, and those with a position in their order. Both change inside the map. The foremost polls
     * for all: if it finds its position lost, those of the others may be lost, too.
     */
    private static final class Group {
        final Set<FairEntry> entries = inOrder();
        final NavigableMap<Long, FairEntry> positions = new ConcurrentSkipListMap<>();
        /** Positions that were woken, each with the waiters that may be about to learn that it is theirs. */
        final Map<Long, Set<FairEntry>> unclaimed = new ConcurrentHashMap<>();

        /** An empty set of entries, in the order of their arrival. */
        static Set<FairEntry> inOrder() {
            return new ConcurrentSkipListSet<>(Comparator.comparingLong(entry -> entry.arrival));
        }

        @Nullable
        FairEntry foremost() {
            Map.Entry<Long, FairEntry> first = positions.firstEntry();
            return first == null ? null : first.getValue();
        }

        /** Waiters before a position that was served have lost their own: they poll. */
        void pollBefore(long position) {
            positions.headMap(position).values().forEach(FairEntry::pollNow);
        }

        /** Has the waiter at a position poll. Returns false if there is none. */
        boolean pollAt(long position) {
            FairEntry entry = positions.get(position);
            if (entry != null) {
                entry.pollNow();
            }
            return entry != null;
        }

        /** Waiters without a position, which they take once wake-ups are received, poll. */
        void pollWithoutPosition() {
            entries.stream().filter(entry -> entry.position == 0).forEach(FairEntry::pollNow);
        }

        void pollAllBut(FairEntry entry) {
            entries.stream().filter(one -> one != entry).forEach(FairEntry::pollNow);
        }

        /** Returns whether an entry may be about to learn a position. */
        boolean mayLearn(FairEntry entry) {
            return entry.waits && (entry.position == 0 || entry.mayChange) && entries.contains(entry);
        }

        /** Replaces the position of an entry. Returns the entry that had the new one; null if none did. */
        @Nullable
        FairEntry move(FairEntry entry, long number) {
            positions.remove(entry.position, entry);
            // In this order: an entry whose position is known is found by it.
            FairEntry lost = number > 0 ? positions.put(number, entry) : null;
            entry.position = number;
            if (lost != null) {
                // Its position was lost with the data, and was given again: it takes another.
                lost.position = 0;
            }
            return lost;
        }
    }

    /** One acquisition and its position. */
    private final class FairEntry extends WakeableEntry {
        private final long arrival;
        private final LockKey key;
        private final boolean waits;
        private final Group group;
        private volatile long position;
        private int rank;
        private boolean requested;
        /** Whether a request is in flight that may bring another position. */
        private volatile boolean mayChange;

        /** Numbers that came late, while it may yet learn that they are its position. */
        private final Set<Long> late = ConcurrentHashMap.newKeySet();

        /** Whether its latest request waits. */
        private boolean stays;

        private boolean over;

        FairEntry(long arrival, LockKey key, boolean waits, Group group) {
            super(false);
            this.arrival = arrival;
            this.key = key;
            this.waits = waits;
            this.group = group;
        }

        @Override
        public long exemptUntil(long now, long lastPoll) {
            boolean others = position > 0 && group.foremost() != this;
            return others && rank > 1 ? now + EXEMPT_NANOS : now;
        }

        @Override
        public Waiter nextWaiter(boolean takesPosition) {
            // A waiter that receives no wake-ups yet would miss its turn, and so takes no position at first.
            boolean takes = takesPosition && (requested || wakeUps.ensureSubscribed());
            stays = waits && (takes || position > 0);
            requested = true;
            mayChange |= stays;
            return new Waiter(stays ? wakeUps.channelOf(key) : "", position, 1, true);
        }

        @Override
        public void positioned(long number, int newRank) {
            rank = newRank;
            if (number != position) {
                moved(position, number);
            }
            mayChange = false;
            learned();
        }

        private void moved(long before, long number) {
            AtomicReference<@Nullable FairEntry> last = new AtomicReference<>();
            groups.computeIfPresent(key, (name, present) -> {
                last.set(present.move(this, number));
                return present;
            });
            FairEntry lost = last.get();
            if (lost != null) {
                lost.pollNow();
            }
            if (before > 0) {
                group.pollAllBut(this);
            }
        }

        @Override
        public void positionedLate(long number) {
            if (number > 0 && !group.pollAt(number)) {
                late.add(number);
                if (!group.mayLearn(this)) {
                    giveUpLate();
                }
            }
        }

        private void giveUpLate() {
            for (Long number : Set.copyOf(late)) {
                if (late.remove(number) && !group.positions.containsKey(number)) {
                    positions.giveUp(key, number);
                }
            }
        }

        @Override
        public boolean queueForWakeUp() {
            return position > 0 && !polls() && wakeUps.reachesWaiters();
        }

        @Override
        public void granted(LeaseRecord record) {
            group.pollBefore(position);
            end();
            if (mayChange && !stays) {
                positions.giveUpThatOf(key, record.id(), 0);
            }
            FairEntry next = polls() || wakeUps.isRefused() ? group.foremost() : null;
            if (next != null) {
                // Until now the foremost polled for it.
                next.pollNow();
            }
        }

        @Override
        public void leave(@Nullable AcquisitionId unanswered) {
            if (!end()) {
                return;
            }
            if (position > 0) {
                positions.giveUp(key, position);
            }
            if (mayChange && unanswered != null) {
                positions.giveUpThatOf(key, unanswered, 0);
            }
        }

        private boolean end() {
            boolean first = !over;
            over = true;
            groups.computeIfPresent(key, (name, present) -> {
                present.positions.remove(position, this);
                present.entries.remove(this);
                return present.entries.isEmpty() ? null : present;
            });
            learned();
            return first;
        }

        /** It knows its position, or will have none: a woken position that no other may learn was that of a waiter that left. */
        private void learned() {
            giveUpLate();
            group.unclaimed.forEach((number, candidates) -> {
                candidates.remove(this);
                if (candidates.isEmpty()
                        && group.unclaimed.remove(number, candidates)
                        && !group.positions.containsKey(number)) {
                    updates.wokenUnknown(key, number);
                }
            });
        }
    }

    QueueEntry join(LockKey key, boolean waits) {
        AtomicReference<@Nullable FairEntry> joined = new AtomicReference<>();
        groups.compute(key, (name, present) -> {
            Group group = present == null ? new Group() : present;
            FairEntry entry = new FairEntry(arrivals.incrementAndGet(), key, waits, group);
            group.entries.add(entry);
            joined.set(entry);
            return group;
        });
        return Objects.requireNonNull(joined.get());
    }

    /** A position was woken. Returns whether a waiter here has it, or may be about to learn that it has. */
    boolean woken(long number, LockKey key) {
        Group group = groups.get(key);
        if (group == null) {
            return false;
        }
        if (group.pollAt(number)) {
            return true;
        }
        Set<FairEntry> candidates = Group.inOrder();
        group.entries.stream().filter(group::mayLearn).forEach(candidates::add);
        if (candidates.isEmpty()) {
            // It may have learned between the two.
            return group.pollAt(number);
        }
        group.unclaimed.put(number, candidates);
        for (FairEntry one : List.copyOf(candidates)) {
            if (group.mayLearn(one)) {
                one.pollNow();
            } else {
                // It has learned meanwhile.
                one.learned();
            }
        }
        // One of them may have learned meanwhile that the position is its own; a second request to poll does no harm.
        boolean unused = group.pollAt(number);
        return true;
    }

    /** Wake-ups are received, and some may have been lost: the foremost waiter of each lock polls. */
    void pollAll() {
        for (Group group : groups.values()) {
            FairEntry foremost = group.foremost();
            if (foremost != null) {
                foremost.pollNow();
            }
            group.pollWithoutPosition();
        }
    }
}
