package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.SharedReadHold;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Does what follows from changes of local queues, and gives back positions in Redis that no queue has. */
public final class QueueUpdates {

    private final LocalQueues queues;
    private final QueuePositions positions;
    private final ReaderGroups readers;

    public QueueUpdates(LocalQueues queues, QueuePositions positions, ReaderGroups readers) {
        this.queues = queues;
        this.positions = positions;
        this.readers = readers;
    }

    /** Does what follows from a change of the queue of a lock; nothing if there was no change. */
    void follow(LockKey key, @Nullable QueueUpdate update) {
        if (update == null) {
            return;
        }
        LocalQueueEntry next = update.next();
        if (next != null) {
            next.pollNow();
        }
        if (update.leftPosition() > 0) {
            positions.giveUp(key, update.leftPosition());
        }
        update.notClaimed().forEach(one -> giveUpUnlessKnown(key, one));
        SharedReadHold alone = update.readersAlone();
        if (alone != null) {
            readers.share(alone, ReadKey.of(key));
        }
        if (update.readersPoll()) {
            pollReaders(key);
        }
    }

    /** Readers that waited for a writer of this process to let them in poll Redis. */
    void pollReaders(LockKey key) {
        LocalQueue queue = queues.readersOf(key);
        LocalQueueEntry first = queue == null ? null : queue.firstToPoll();
        if (first != null) {
            first.pollNow();
        }
    }

    /** Gives back a position that nobody here knew of, or whose turn came before, unless a queue has it by now or may learn it. */
    void giveUpUnlessKnown(LockKey key, long position) {
        if (position > 0
                && firsts(key, queue -> queue.position().claims(position)).isEmpty()) {
            positions.giveUp(key, position);
        }
    }

    /** Gives back the position that an acquisition without an answer may have taken, unless it is the one that stays. */
    void giveUpThatOf(LockKey key, AcquisitionId taker, long stays) {
        positions.giveUpThatOf(key, taker, stays);
    }

    /** A position was woken that no queue knows to have: a queue may be about to learn it, else the next waiter is woken. */
    void wokenUnknown(LockKey key, long position) {
        if (!pollFirsts(key, queue -> queue.position().claims(position))) {
            positions.giveUp(key, position);
        }
    }

    /** The first waiter polls in each of the queues for a lock that match. Returns whether one does. */
    boolean pollFirsts(LockKey key, Predicate<LocalQueue> which) {
        List<LocalQueueEntry> firsts = firsts(key, which);
        firsts.forEach(LocalQueueEntry::pollNow);
        return !firsts.isEmpty();
    }

    /** The first waiters of the queues of writers, readers and permits of a lock, which are one queue in Redis. */
    private List<LocalQueueEntry> firsts(LockKey key, Predicate<LocalQueue> which) {
        ReadKey read = ReadKey.of(key);
        return List.of(read.write(), read, PermitKey.of(key)).stream()
                .flatMap(side -> queues.matching(side, which).stream())
                .toList();
    }
}
