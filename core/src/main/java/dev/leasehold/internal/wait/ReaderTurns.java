package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.SharedReadHold;
import dev.leasehold.internal.renew.HandedLeases;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.spi.Timer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets waiting readers have the hold of a writer of this process, ahead of the writer that waits behind it. So each side has
 * its turns without a request to Redis. Without such a writer, more readers join until the run ends; then Redis is told, so
 * that the readers of other processes enter, too.
 */
public final class ReaderTurns {

    private final RequestContext context;
    private final StepExecutor steps;
    private final LocalQueues queues;
    private final QueueUpdates updates;
    private final HandedLeases handed;
    private final ReaderGroups readers;

    public ReaderTurns(
            RequestContext context,
            StepExecutor steps,
            LocalQueues queues,
            QueueUpdates updates,
            HandedLeases handed,
            ReaderGroups readers) {
        this.context = context;
        this.steps = steps;
        this.queues = queues;
        this.updates = updates;
        this.handed = handed;
        this.readers = readers;
    }

    /** What came of a turn of readers. */
    enum Outcome {
        /** The writer that waits behind the readers could not have the lock after them: nothing has changed. */
        REFUSED,
        /** Readers have the lock. */
        READ,
        /** The readers have left, or none entered: the writer that let them in is the last that has the hold. */
        OVER
    }

    /**
     * A turn of readers.
     *
     * @param left what the next writer gets, if the turn is over and enough is left of the hold
     */
    record Turn(Outcome outcome, @Nullable LocalGrant left) {}

    private static final Turn REFUSED = new Turn(Outcome.REFUSED, null);
    private static final Turn READ = new Turn(Outcome.READ, null);

    /** The writer that waits behind the readers: its lease may be like that which lets them in, or not. */
    private enum NextWriter {
        NONE,
        ALIKE,
        OTHER
    }

    /** Lets readers in, the first of whom can have the lock from this lease. */
    Turn begin(LeaseRecord from, LocalGrant grant, ReadKey key) {
        SharedReadHold reading = new SharedReadHold(from, grant);
        NextWriter next = queues.always(from.key(), queue -> read(queue, from, reading));
        if (next == NextWriter.OTHER) {
            return REFUSED;
        }
        letIn(key, from, reading);
        if (next == NextWriter.NONE) {
            readers.open(reading, key);
            shareLater(reading, key);
            // Those that did not await a hand-off at that moment join the others.
            queues.entries(key, entry -> true).forEach(LocalQueueEntry::invite);
        }
        return readers.opened(reading, key) ? over(from, grant, reading) : READ;
    }

    private static NextWriter read(LocalQueue queue, LeaseRecord from, SharedReadHold reading) {
        if (queue.size() > 0 && !queue.firstFollows(from)) {
            return NextWriter.OTHER;
        }
        queue.hold().readBy(from, reading);
        return queue.size() == 0 ? NextWriter.NONE : NextWriter.ALIKE;
    }

    private Turn over(LeaseRecord from, LocalGrant grant, SharedReadHold reading) {
        Boolean unused = queues.ifPresent(from.key(), queue -> {
            queue.hold().readersLeft(reading);
            return true;
        });
        long now = context.now();
        LocalGrant next = grant.next().takenAt(now);
        boolean enough = reading.transferable() != null
                && next.hold().mayHandOff(next.token(), now)
                && next.covers(from.options(), now, context.surplus());
        return new Turn(Outcome.OVER, enough ? next : null);
    }

    /**
     * The readers that have the lock together.
     *
     * @param records by entry
     * @param update what follows from their leaving the queue
     */
    private record Entered(Map<LocalQueueEntry, LeaseRecord> records, QueueUpdate update) {}

    /** Lets all in that await a hand-off now. */
    private void letIn(ReadKey key, LeaseRecord from, SharedReadHold reading) {
        Entered entered = queues.ifPresent(key, queue -> enter(queue, from, reading));
        if (entered != null) {
            entered.records.forEach((entry, reader) -> {
                handed.begin(reader, reading.grant());
                entry.pollNow();
            });
            updates.follow(key, entered.update);
        }
    }

    private Entered enter(LocalQueue queue, LeaseRecord from, SharedReadHold reading) {
        Map<LocalQueueEntry, LeaseRecord> records = new LinkedHashMap<>();
        for (LocalQueueEntry entry : queue.entries(one -> one.follows(from))) {
            LeaseRecord reader = entry.awaiting();
            if (reader == null) {
                continue;
            }
            // Before it can leave.
            readers.enter(reader, reading);
            if (entry.deliver(reader, reading.grant())) {
                records.put(entry, reader);
            } else {
                readers.leave(reader, reading);
            }
        }
        return new Entered(records, queue.takeTogether(records.keySet()));
    }

    /** When the run is over and no writer of this process waits, Redis is told that readers have the hold. */
    private void shareLater(SharedReadHold reading, ReadKey key) {
        Timer.Timeout unused = context.timer()
                .schedule(
                        () -> {
                            if (!reading.over()) {
                                steps.run(() -> shareAlone(reading, key.write()));
                            }
                        },
                        reading.aloneUntil() - context.now());
    }

    private void shareAlone(SharedReadHold reading, LockKey write) {
        updates.follow(
                write,
                queues.ifPresent(write, queue -> queue.hold().readers() == reading ? queue.update(false) : null));
    }
}
