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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The readers of this client that share a hold in Redis. More join the latest hold of a lock for a moment, unless a writer of
 * this client waits; then Redis is asked, which knows whether a writer of another client does.
 */
public final class ReaderGroups {

    private final RequestContext context;
    private final BatchSender sender;
    private final TokenFloors floors;
    private final Map<LockKey, SharedReadHold> groups = new ConcurrentHashMap<>();

    public ReaderGroups(RequestContext context, BatchSender sender, TokenFloors floors) {
        this.context = context;
        this.sender = sender;
        this.floors = floors;
    }

    /** Redis has granted a hold to a reader, requested at that moment: others may join if its options allow it. */
    public void open(LeaseRecord first, long sentAt) {
        SharedReadHold group = new SharedReadHold(first, sentAt);
        if (group.shareable()) {
            groups.put(first.key(), group);
        }
    }

    /** A writer of this process has let readers in, and none of its writers waits behind them: others may join. */
    void open(SharedReadHold group, ReadKey key) {
        groups.put(key, group);
    }

    /** Returns whether readers of this lock have a hold that others may join. */
    boolean isOpen(LockKey key) {
        return groups.containsKey(key);
    }

    /** Lets a reader share the hold of its lock; null if there is none, or if Redis must be asked. */
    @Nullable
    LocalGrant join(LeaseRecord reader) {
        long now = context.now();
        long surplus = context.surplus();
        AtomicReference<@Nullable LocalGrant> joined = new AtomicReference<>();
        groups.computeIfPresent(reader.key(), (name, group) -> {
            if (group.admits(reader.options(), now, surplus)) {
                joined.set(group.join(reader, now));
            }
            return group;
        });
        return joined.get();
    }

    /** A reader is let in by a writer of this process; before it can leave. */
    void enter(LeaseRecord reader, SharedReadHold group) {
        boolean unused = changing(group, reader.key(), () -> {
            group.add(reader);
            return true;
        });
    }

    /** The reader was not let in after all. */
    void leave(LeaseRecord reader, SharedReadHold group) {
        boolean unused = changing(group, reader.key(), () -> group.leave(reader, true));
    }

    /** The writer lets no more readers in. Returns whether all have left already, so that it is the last. */
    boolean opened(SharedReadHold group, ReadKey key) {
        return changing(group, key, group::endAdmission);
    }

    /**
     * A lease does not need its hold any more.
     *
     * @param clean whether it had the hold beyond doubt until now
     * @return whether no other lease needs the hold: it is its own, or the last of those that shared it leaves
     */
    boolean leave(LeaseRecord record, boolean clean) {
        SharedReadHold group = record.reading();
        return group == null || changing(group, record.key(), () -> group.leave(record, clean));
    }

    /** No writer waits for which this process keeps the lock from the readers of others: they may enter, too. */
    void share(SharedReadHold group, ReadKey key) {
        LeaseRecord writer = group.writer();
        if (writer != null && changing(group, key, group::endHandOffs)) {
            new ShareRequest(context, sender, floors, writer, group).begin();
        }
    }

    /**
     * Redis has confirmed the hold of a lease. A failover may have lost that the hold of a writer had become one of readers.
     * So Redis is told again: else the readers of other processes would wait for as long as those of this one read.
     */
    public void confirmed(LeaseRecord reader) {
        SharedReadHold group = reader.reading();
        if (group != null && group.sharesAgain(context.now())) {
            new ShareRequest(context, sender, floors, reader, group).begin();
        }
    }

    /** Makes one change at a time of a group of readers of a lock, which need not be the latest. */
    private boolean changing(SharedReadHold group, LockKey key, BooleanSupplier change) {
        AtomicBoolean result = new AtomicBoolean();
        groups.compute(key, (name, latest) -> {
            result.set(change.getAsBoolean());
            return latest == group && group.over() ? null : latest;
        });
        return result.get();
    }
}
