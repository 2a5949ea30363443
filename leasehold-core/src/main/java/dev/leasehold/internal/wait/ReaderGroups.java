package dev.leasehold.internal.wait;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.SharedReadHold;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where readers of this client meet who share a hold in Redis. Of each lock the latest hold takes more for a moment, unless a
 * writer of this client waits; then Redis is asked, which knows whether a writer of another does.
 */
public final class ReaderGroups {

    private final RequestContext context;
    private final BatchSender sender;
    private final TokenFloors floors;
    private final Map<LockKey, SharedReadHold> readings = new ConcurrentHashMap<>();

    public ReaderGroups(RequestContext context, BatchSender sender, TokenFloors floors) {
        this.context = context;
        this.sender = sender;
        this.floors = floors;
    }

    /** Redis has granted a hold, asked for at that moment: others may join. */
    public void open(LeaseRecord first, long sentAt) {
        readings.put(first.key(), new SharedReadHold(first, sentAt));
    }

    /** A writer of this process has let readers in, behind whom none of its writers waits: others may join. */
    public void open(SharedReadHold reading, ReadKey key) {
        readings.put(key, reading);
    }

    /** Returns whether readers of this lock have a hold that others may join. */
    public boolean isOpen(LockKey key) {
        return readings.containsKey(key);
    }

    /** Lets a reader share the hold of its lock; null if there is none, or if Redis must be asked. */
    @Nullable
    public LocalGrant join(LeaseRecord reader) {
        long now = context.now();
        long surplus = context.surplus();
        LocalGrant[] joined = new LocalGrant[1];
        readings.computeIfPresent(reader.key(), (name, reading) -> {
            if (reading.takes(reader.options(), now, surplus)) {
                joined[0] = reading.join(reader, now);
            }
            return reading;
        });
        return joined[0];
    }

    /** A reader was let in by a writer of this process; before it can leave. */
    public void enter(LeaseRecord reader, SharedReadHold reading) {
        boolean unused = changing(reading, reader.key(), () -> {
            reading.enter(reader);
            return true;
        });
    }

    /** The reader was not let in after all. */
    public void leave(LeaseRecord reader, SharedReadHold reading) {
        boolean unused = changing(reading, reader.key(), () -> reading.leave(reader, true));
    }

    /** The writer has let all in who could come. Returns whether they have left already, so that it is the last. */
    public boolean opened(SharedReadHold reading, ReadKey key) {
        return changing(reading, key, reading::opened);
    }

    /**
     * A lease does not need its hold any more.
     *
     * @param clean whether it had it beyond doubt to the last
     * @return whether nobody else needs it: so if the hold is its own, or the last of those who shared it leaves
     */
    public boolean leave(LeaseRecord record, boolean clean) {
        SharedReadHold reading = record.reading();
        return reading == null || changing(reading, record.key(), () -> reading.leave(record, clean));
    }

    /** No writer waits for whom this process keeps the lock from the readers of others, so they shall come in, too. */
    public void share(SharedReadHold reading, ReadKey key) {
        LeaseRecord writer = reading.opener();
        if (writer != null && changing(reading, key, reading::shares)) {
            new ShareRequest(context, sender, floors, writer, reading).begin();
        }
    }

    /** One change at a time of what concerns the readers of a lock. */
    private boolean changing(SharedReadHold reading, LockKey key, BooleanSupplier change) {
        boolean[] result = new boolean[1];
        readings.compute(key, (name, latest) -> {
            result[0] = change.getAsBoolean();
            return latest == reading && reading.over() ? null : latest;
        });
        return result[0];
    }
}
