package dev.leasehold.internal.wait;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.LocalSharing;
import dev.leasehold.internal.lease.SharedReadHold;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the acquisitions of this client wait: a line for each lock, of which only the first speaks to Redis, and has the
 * client's one place in the queue of the lock. A wake-up is a hint to look, never a grant.
 *
 * <p>Within the process the lock is handed from one to the next without asking Redis, as long as their leases are alike:
 * then not even the first speaks to Redis.
 *
 * <p>Who has a named owner looks once before it stands behind others, and whenever its owner enters through this client:
 * for it the lock may be open while it is closed to those before it.
 */
public final class LocalWaiters implements LocalSharing, WakeListener.Woken, QueueHeartbeats.Queues {

    /** After a longer hold the lock goes straight to the next: the way to it counts for little. */
    private static final long SHORT_NANOS = 1_000_000;

    private final RequestContext context;
    private final StepExecutor steps;
    private final LeaseTable leases;
    private final LeaseTermination termination;
    private final Watchdog watchdog;
    private final ReaderGroups readers;
    private final WakeListener wakeUps;
    private final QueuePositions positions;
    private final Map<LockKey, LocalQueue> lines = new ConcurrentHashMap<>();
    private final FairWaiters fair;
    private final QueueHeartbeats rollCall;

    /** Whether the readers' side of a lock was ever waited for: where it is not used, it is not looked for. */
    private volatile boolean anybodyReads;

    public LocalWaiters(
            RequestContext context,
            BatchSender sender,
            StepExecutor steps,
            MultiKeyCalls slots,
            LeaseTable leases,
            LeaseTermination termination,
            Watchdog watchdog,
            ReaderGroups readers,
            WakeListener wakeUps,
            QueuePositions positions) {
        this.context = context;
        this.steps = steps;
        this.leases = leases;
        this.termination = termination;
        this.watchdog = watchdog;
        this.readers = readers;
        this.wakeUps = wakeUps;
        this.positions = positions;
        this.fair = new FairWaiters(wakeUps, positions, this::unclaimed);
        this.rollCall = new QueueHeartbeats(context, sender, slots, wakeUps, this);
    }

    /** Joins the line of a lock; the owner is null if nobody else can have the same. */
    public QueueEntry join(LockKey key, @Nullable OwnerKey owner, LockOptions options) {
        LocalQueueEntry[] joined = new LocalQueueEntry[1];
        if (key instanceof ReadKey) {
            anybodyReads = true;
        }
        lines.compute(key, (name, there) -> {
            LocalQueue line = there == null ? new LocalQueue(key) : there;
            joined[0] = new LocalQueueEntry(this, line, owner, options);
            line.add(joined[0]);
            return line;
        });
        return joined[0];
    }

    /** Takes part in the queue of a lock with a place of its own, behind nobody of this client. */
    public QueueEntry joinFairly(LockKey key, boolean waits) {
        return fair.join(key, waits);
    }

    /** Takes a seat out of its line; if Redis gave it the lock, others may be handed it. */
    void leave(LocalQueueEntry seat, @Nullable LeaseRecord granted) {
        LocalQueue line = seat.line;
        Leaving leaving = new Leaving();
        lines.computeIfPresent(line.key, (name, there) -> {
            boolean nextLooks = there == line && line.first == seat;
            if (there != line || !line.remove(seat)) {
                return there;
            }
            if (granted != null) {
                // Redis gives nothing while an earlier hold lasts: whoever waits to be handed it waits for nothing.
                boolean held = line.holder != null;
                nextLooks |= held;
                line.closed();
                boolean handsOn = line.key.kind().handsOn() && !granted.ofNamedOwner() && !granted.durable();
                line.holder = handsOn && waiting(line) > 0 ? granted : null;
                leaving.freed = held && line.holder == null;
            }
            return leaving.left(line, nextLooks);
        });
        leaving.done(line.key);
    }

    /** What follows when somebody has left a line: the next is called, and the place of an empty line given back. */
    private final class Leaving {
        private @Nullable LocalQueueEntry next;
        private long place;
        private Set<Long> settled = Set.of();
        private @Nullable SharedReadHold alone;
        /** Whether nobody of this process has the lock any more who could let others in. */
        private boolean freed;

        /** What becomes of the line: null if it ends. */
        @Nullable
        LocalQueue left(LocalQueue line, boolean nextLooks) {
            next = nextLooks ? line.firstToLook() : null;
            settled = line.settled();
            alone = line.readersAlone();
            freed |= alone != null;
            if (line.size == 0) {
                place = line.place;
                line.place = 0;
            }
            return line.size == 0 && line.holder == null ? null : line;
        }

        void done(LockKey key) {
            if (next != null) {
                next.call();
            }
            if (place > 0) {
                positions.giveUp(key, place);
            }
            settled.forEach(one -> leftBehind(key, one));
            if (alone != null) {
                readers.share(alone, ReadKey.of(key));
            }
            if (freed) {
                readersLook(key);
            }
        }
    }

    /** Readers who have waited for a writer of this process to let them in look for themselves. */
    private void readersLook(LockKey key) {
        LocalQueue line = readers(key);
        LocalQueueEntry first = line == null ? null : line.firstToLook();
        if (first != null) {
            first.call();
        }
    }

    /** The first of a line was told its place. */
    void placed(LocalQueue line, long place) {
        List<Long> settled = new ArrayList<>();
        lines.computeIfPresent(line.key, (name, there) -> {
            if (there == line) {
                line.place = place;
                line.mayLearn = false;
                settled.addAll(line.settled());
            }
            return there;
        });
        settled.forEach(one -> leftBehind(line.key, one));
        rollCall.begin(lines.size());
    }

    /** The lines whose first has a place and looks now and then whether the lock is free. */
    @Override
    public List<LocalQueue> polling() {
        List<LocalQueue> those = new ArrayList<>();
        if (wakeUps.ensureSubscribed()) {
            for (LocalQueue line : lines.values()) {
                LocalQueueEntry first = line.firstToLook();
                if (first != null && first.looksForAFreeLock() && line.place > 0 && !line.standsBy) {
                    those.add(line);
                }
            }
        }
        return those;
    }

    /** Who has this place in a line, if it still has, is to look at once. */
    @Override
    public void poll(LocalQueue line, long place) {
        LocalQueueEntry first = line.place == place ? line.firstToLook() : null;
        if (first != null) {
            first.call();
        }
    }

    /** How many wait in a line and, if it is that of writers, to read. */
    int waiting(LocalQueue line) {
        LocalQueue toRead = readers(line.key);
        return line.size + (toRead == null ? 0 : toRead.size);
    }

    /** Those who wait to read, where others write; null if there are none, or the key is not the writers' side of a lock. */
    private @Nullable LocalQueue readers(LockKey key) {
        return anybodyReads && key.kind() == LockKind.STANDARD ? lines.get(ReadKey.of(key)) : null;
    }

    /** How many of this process would take the lock over from a lease as it is; those behind the first that would not count too. */
    public int followers(LeaseRecord from) {
        LocalQueue line = lines.get(from.key().write());
        if (line != null && line.size > 0) {
            return line.firstFollows(from) ? waiting(line) : 0;
        }
        LocalQueue toRead = readers(from.key());
        return toRead != null && toRead.firstFollows(from) ? toRead.size : 0;
    }

    /** The place of this client in the queue of a lock, of those who wait to read if no writer has one; 0 if it has none. */
    public long place(LockKey write) {
        LocalQueue toWrite = lines.get(write);
        long place = toWrite == null ? 0 : toWrite.place;
        LocalQueue toRead = place > 0 ? null : readers(write);
        return toRead == null ? place : toRead.place;
    }

    /** Hands the lock of a lease, which its holder has given up in good order, to those who wait to read, or to the first of the line. */
    public boolean hand(LeaseRecord from, LocalGrant grant) {
        LocalQueue toRead = readers(from.key());
        if (toRead != null && toRead.firstFollows(from)) {
            return handToReaders(from, grant, toRead);
        }
        return handToNext(from, grant);
    }

    /**
     * Lets those in who wait to read, ahead of a writer who waits behind them: so each side has its turns, and Redis need not
     * be asked for either. Without such a writer whoever wants to read joins them until the run ends; then Redis is to let the
     * readers of other processes in, too.
     */
    private boolean handToReaders(LeaseRecord from, LocalGrant grant, LocalQueue toRead) {
        ReadKey key = (ReadKey) toRead.key;
        SharedReadHold reading = new SharedReadHold(from, grant);
        Behind behind = reads(from, reading);
        if (behind == Behind.OTHER) {
            return false;
        }
        letIn(key, from, reading);
        if (behind == Behind.NOBODY) {
            readers.open(reading, key);
            shareLater(reading, key);
            // Who was not ready yet joins them.
            those(toRead, seat -> true).forEach(LocalQueueEntry::invite);
        }
        if (!readers.opened(reading, key)) {
            return true;
        }
        // Nobody came, or all have left by now, and this is the last.
        lines.computeIfPresent(from.key(), (name, line) -> {
            line.readNoMore(reading);
            return line;
        });
        long now = context.now();
        LocalGrant next = grant.next().takenAt(now);
        return reading.run() != null
                && next.tenure().runs(next.token(), now)
                && next.covers(from.options(), now, context.surplus())
                && handToNext(from, next);
    }

    /** Who waits to write behind those who are about to read: its lease may be like that which lets them in, or not. */
    private enum Behind {
        NOBODY,
        ALIKE,
        OTHER
    }

    private Behind reads(LeaseRecord from, SharedReadHold reading) {
        Behind[] behind = new Behind[1];
        lines.compute(from.key(), (name, there) -> {
            LocalQueue line = there == null ? new LocalQueue(from.key()) : there;
            behind[0] = line.size == 0 ? Behind.NOBODY : line.firstFollows(from) ? Behind.ALIKE : Behind.OTHER;
            if (behind[0] != Behind.OTHER) {
                line.read(from, reading);
            }
            return line;
        });
        return behind[0];
    }

    /** Lets all in who are ready to read. */
    private void letIn(ReadKey key, LeaseRecord from, SharedReadHold reading) {
        Map<LocalQueueEntry, LeaseRecord> handed = new LinkedHashMap<>();
        Leaving leaving = new Leaving();
        lines.computeIfPresent(key, (name, line) -> {
            line.forEach(seat -> {
                LeaseRecord reader = seat.follows(from) ? seat.ready() : null;
                if (reader != null) {
                    // Before it can leave.
                    readers.enter(reader, reading);
                    if (seat.hand(reading.grant()) == reader) {
                        handed.put(seat, reader);
                    } else {
                        readers.leave(reader, reading);
                    }
                }
            });
            handed.keySet().forEach(line::remove);
            return leaving.left(line, true);
        });
        handed.forEach((seat, reader) -> {
            entered(reader, reading.grant());
            seat.call();
        });
        leaving.done(key);
    }

    /** When the run is over and no writer of this process waits, Redis is told that they read. */
    private void shareLater(SharedReadHold reading, ReadKey key) {
        Timer.Timeout unused = context.timer()
                .schedule(
                        () -> {
                            if (!reading.over()) {
                                steps.run(() -> shareAlone(reading, key));
                            }
                        },
                        reading.aloneUntil() - context.now());
    }

    private void shareAlone(SharedReadHold reading, ReadKey key) {
        Leaving leaving = new Leaving();
        lines.computeIfPresent(key.write(), (name, line) -> line.isRead(reading) ? leaving.left(line, false) : line);
        leaving.done(key.write());
    }

    /**
     * To the first of the line. After a short hold it is open until the first has come, which takes longer than many a hold:
     * who asks meanwhile may take it.
     */
    private boolean handToNext(LeaseRecord from, LocalGrant grant) {
        LocalQueueEntry[] opened = new LocalQueueEntry[1];
        LocalQueueEntry[] handed = new LocalQueueEntry[1];
        LeaseRecord[] holder = new LeaseRecord[1];
        Leaving leaving = new Leaving();
        lines.computeIfPresent(from.key().write(), (name, line) -> {
            LocalQueueEntry first = line.first;
            if (first == null || !first.follows(from)) {
                return line;
            }
            if (staysOpen(from, grant) && line.mayBePassed(grant.at())) {
                opened[0] = line.opened(grant, first.ready()) ? first : null;
                return line;
            }
            holder[0] = first.hand(grant);
            if (holder[0] == null) {
                return line;
            }
            handed[0] = first;
            line.taken(first, holder[0]);
            return leaving.left(line, true);
        });
        if (opened[0] != null) {
            opened[0].comes();
        } else if (handed[0] != null) {
            entered(holder[0], grant);
            handed[0].call();
            leaving.done(from.key());
        }
        return opened[0] != null || handed[0] != null;
    }

    private static boolean staysOpen(LeaseRecord from, LocalGrant grant) {
        // Who does not renew is owed nearly the whole lease, of which nothing may be lost on the way.
        return from.options().renewal().times() > 0 && grant.at() - from.grantedAt() < SHORT_NANOS;
    }

    /** The lock is open: takes it, unless too little is left of the hold by now. */
    @Nullable
    LocalGrant takeOpen(LocalQueueEntry seat, LeaseRecord record) {
        long now = context.now();
        long surplus = context.surplus();
        LocalGrant[] taken = new LocalGrant[1];
        LocalGrant[] spoiled = new LocalGrant[1];
        Leaving leaving = new Leaving();
        lines.computeIfPresent(record.key(), (name, line) -> {
            LocalGrant open = line.open;
            if (open == null || !line.handsOnTo(seat)) {
                return line;
            }
            if (open.covers(record.options(), now, surplus)) {
                taken[0] = open.takenAt(now);
                line.taken(seat, record);
                return leaving.left(line, true);
            }
            if (line.first == seat) {
                spoiled[0] = open;
                line.closed();
            }
            return line;
        });
        if (taken[0] != null) {
            entered(record, taken[0]);
            leaving.done(record.key());
        } else if (spoiled[0] != null) {
            giveBack(seat, spoiled[0], record);
            readersLook(record.key());
        }
        return taken[0];
    }

    /** The lease has the hold from here on, and is looked after. */
    public void entered(LeaseRecord record, LocalGrant grant) {
        record.handed(grant);
        LossCause denied = grant.tenure().handedTo(record);
        watchdog.confirmed(record);
        if (denied != null) {
            termination.disown(record, LeaseEvent.DISOWNED, denied, null);
        }
    }

    /** A hold of which too little is left goes back to Redis; the seat looks, as if it had never been offered. */
    private void giveBack(LocalQueueEntry seat, LocalGrant spoiled, LeaseRecord like) {
        LeaseRecord last = leases.add(like.key(), null, like.options(), null, false);
        last.handed(spoiled);
        termination.giveBack(last);
        seat.call();
    }

    /** A lease that would have handed the lock on has ended otherwise: the first looks. */
    @Override
    public void ended(LeaseRecord record) {
        SharedReadHold reading = record.reading();
        LeaseRecord holder = reading == null ? record : reading.opener();
        if (holder == null || !lines.containsKey(holder.key()) || (reading != null && !reading.over())) {
            return;
        }
        Leaving leaving = new Leaving();
        lines.computeIfPresent(holder.key(), (name, line) -> {
            if (!line.heldBy(holder, reading)) {
                return line;
            }
            line.closed();
            leaving.freed = true;
            return leaving.left(line, true);
        });
        leaving.done(holder.key());
    }

    /** Whether a lease of this process has the lock, or readers have it from one, from which it will be handed to this reader. */
    boolean handsOnTo(ReadKey key, LocalQueueEntry reader) {
        LocalQueue line = lines.get(key.write());
        return line != null && line.handsOnTo(reader);
    }

    /** Whether anybody of this client waits for a lock. */
    boolean anybodyWaits(LockKey key) {
        LocalQueue line = lines.get(key);
        return line != null && line.first != null;
    }

    /** All come in who stand behind a reader that has. */
    void inviteAll(LocalQueue line, LocalQueueEntry reader) {
        those(line, seat -> seat != reader).forEach(LocalQueueEntry::invite);
    }

    void callAll(LocalQueue line, Predicate<LocalQueueEntry> which) {
        those(line, which).forEach(LocalQueueEntry::call);
    }

    private List<LocalQueueEntry> those(LocalQueue line, Predicate<LocalQueueEntry> which) {
        List<LocalQueueEntry> those = new ArrayList<>();
        lines.computeIfPresent(line.key, (name, there) -> {
            there.forEach(seat -> {
                if (which.test(seat)) {
                    those.add(seat);
                }
            });
            return there;
        });
        return those;
    }

    String channelOf(LockKey key) {
        return wakeUps.channelOf(key);
    }

    /** Returns whether wake-ups are received by now; begins to subscribe if not. */
    boolean receivesWakeUps() {
        return wakeUps.ensureSubscribed();
    }

    @Override
    public boolean leave(LeaseRecord record, boolean clean) {
        return readers.leave(record, clean);
    }

    /**
     * Lets a reader share the hold of other readers of this process; null if there is none, or if Redis must be asked.
     *
     * @param invited whether it has waited together with the first of them, so that a waiting writer is behind both
     */
    @Nullable
    public LocalGrant joinReaders(LeaseRecord reader, boolean invited) {
        if (!readers.isOpen(reader.key())
                || (!invited && anybodyWaits(reader.key().write()))) {
            return null;
        }
        return readers.join(reader);
    }

    @Override
    public void pollAll() {
        fair.lookAll();
        for (LocalQueue line : lines.values()) {
            LocalQueueEntry first = line.firstToLook();
            if (first != null) {
                first.call();
            }
        }
    }

    @Override
    public void woken(long place, LockKey key) {
        if (place == 0) {
            // A latch is reached.
            return;
        }
        // Who waits fairly may be about to learn a place that no line has.
        if (!called(key, line -> line.place == place)
                && !fair.woken(place, key)
                && !fair.woken(place, PermitKey.of(key))) {
            unclaimed(key, place);
        }
    }

    /** It is the turn of a place that nobody knows to have: the first of a line may be about to learn it, or it is nobody's. */
    void unclaimed(LockKey key, long place) {
        if (!called(key, line -> line.claims(place))) {
            // Nobody is there any more: the next is woken instead.
            positions.giveUp(key, place);
        }
    }

    /** A place was given of which nobody here knew, or whose turn came before. */
    void leftBehind(LockKey key, long place) {
        if (place > 0 && firsts(key, line -> line.has(place)).isEmpty()) {
            positions.giveUp(key, place);
        }
    }

    private boolean called(LockKey key, Predicate<LocalQueue> which) {
        List<LocalQueueEntry> firsts = firsts(key, which);
        firsts.forEach(LocalQueueEntry::call);
        return !firsts.isEmpty();
    }

    /** The first of each of these lines for a lock; those who wait to write, to read and for permits are in one queue. */
    private List<LocalQueueEntry> firsts(LockKey key, Predicate<LocalQueue> which) {
        List<LocalQueueEntry> firsts = new ArrayList<>();
        ReadKey read = ReadKey.of(key);
        for (LockKey side : List.of(read.write(), read, PermitKey.of(key))) {
            lines.computeIfPresent(side, (name, line) -> {
                LocalQueueEntry first = line.first;
                if (first != null && which.test(line)) {
                    firsts.add(first);
                }
                return line;
            });
        }
        return firsts;
    }
}
