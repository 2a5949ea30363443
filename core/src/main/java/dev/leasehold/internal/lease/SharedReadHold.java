package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The hold in Redis of a reader of this process, which others may share. Each reader has its own deadline and renews the
 * hold for itself: so the hold lasts as long as the longest lease among them, and the last reader to leave releases it.
 *
 * <p>The hold may be a writer's, whose process admits its own readers before its next writer. Then the last reader hands the lock
 * off, as a writer does.
 */
public final class SharedReadHold extends ProcessHold {

    /** The time for which readers may join without a request to Redis, which knows whether a writer waits. */
    private static final long JOIN_NANOS = 50_000_000;

    private final LockOptions options;
    private final LocalGrant grant;
    private final long joinUntil;

    /** The writer that admitted the readers; null if Redis granted the hold to readers. */
    private final @Nullable LeaseRecord writer;

    private final @Nullable ProcessHold writersHold;

    /** True if the first reader was a writer, which has become a reader by a downgrade of its hold. */
    private final boolean downgraded;

    /** When Redis was last told that the hold of a former writer is one of readers. */
    private final AtomicLong sharedAt;

    // Changed inside the map of ReaderGroups only.
    private final Set<LeaseRecord> readers = Collections.newSetFromMap(new IdentityHashMap<>());
    /** True while the writer admits readers; the hold does not end meanwhile. */
    private boolean admitting;
    /** True if a reader left whose lease was in doubt: then too little is known of the hold for a hand-off. */
    private volatile boolean doubtful;

    private volatile boolean over;

    /** Creates the hold of a first reader, granted by Redis to a request that was sent at this moment. */
    public SharedReadHold(LeaseRecord first, long sentAt) {
        super(first, first.token(), sentAt);
        this.options = first.options();
        this.joinUntil = sentAt + JOIN_NANOS;
        this.writer = null;
        this.writersHold = null;
        this.downgraded = !first.hold().equals(first.id());
        this.sharedAt = new AtomicLong(sentAt);
        this.grant = first.share(this);
        readers.add(first);
    }

    /** Creates the hold of a writer that hands it off to readers; each of them {@linkplain #add is added} afterwards. */
    public SharedReadHold(LeaseRecord writer, LocalGrant handedOff) {
        super(writer, handedOff.token(), handedOff.at());
        this.options = writer.options();
        this.joinUntil = handedOff.hold().runEndsAt();
        this.writer = writer;
        this.writersHold = handedOff.hold();
        this.downgraded = false;
        this.sharedAt = new AtomicLong(handedOff.at());
        this.grant = handedOff.under(this);
        this.admitting = true;
    }

    /** The grant for a reader of this hold. */
    public LocalGrant grant() {
        return grant;
    }

    /** Returns whether others may join at all: not if replicas have it, or if it stays after the release of its reader. */
    public boolean shareable() {
        return !options.durability().enabled() && options.minHold() == null;
    }

    /** Returns whether a reader with these options may join: only if it would get the same from a hold of its own. */
    public boolean admits(LockOptions other, long now, long surplus) {
        return now - joinUntil < 0
                && !other.durability().enabled()
                && shareable()
                && other.leaseTime().equals(options.leaseTime())
                && other.renewal().equals(options.renewal())
                && grant.end() - now <= other.leaseTime().toNanos()
                && grant.covers(other, now, surplus);
    }

    public LocalGrant join(LeaseRecord reader, long now) {
        add(reader);
        return grant.takenAt(now);
    }

    public void add(LeaseRecord reader) {
        readers.add(reader);
    }

    /**
     * Removes a reader.
     *
     * @param clean whether its lease was valid until now
     * @return whether it was a reader of this hold, and the last one
     */
    public boolean leave(LeaseRecord reader, boolean clean) {
        if (!readers.remove(reader)) {
            return false;
        }
        if (!clean) {
            doubtful = true;
        }
        return ends();
    }

    /** Ends the admission of readers by the writer. Returns whether all admitted readers have left already. */
    public boolean endAdmission() {
        admitting = false;
        return ends();
    }

    private boolean ends() {
        over = readers.isEmpty() && !admitting;
        return over;
    }

    /** Ends hand-offs to a writer of this process. Returns false, and changes nothing, if no reader is left. */
    public boolean endHandOffs() {
        if (over || writersHold == null) {
            return false;
        }
        writersHold.share();
        return true;
    }

    /**
     * Returns whether Redis is to be told once more that the hold of a former writer is one of readers: a failover may have
     * lost that. One of the readers tells it, once in a quarter of their lease.
     */
    public boolean sharesAgain(long now) {
        boolean shared = writersHold == null ? downgraded : writersHold.transferable() == null;
        long last = sharedAt.get();
        return shared && now - last >= options.leaseTime().toNanos() / 4 && sharedAt.compareAndSet(last, now);
    }

    /** The time until which this process need not admit other clients: local hand-offs could have gone on as long. */
    public long aloneUntil() {
        return joinUntil;
    }

    /** Returns whether no reader is left, so that the hold is being released or handed off. */
    public boolean over() {
        return over;
    }

    /** The writer whose hold this is; null if Redis granted it to readers. */
    @Nullable
    public LeaseRecord writer() {
        return writer;
    }

    /** Returns the writer's hold, which the last reader to leave may hand off. */
    @Override
    @Nullable
    public ProcessHold transferable() {
        return over && !doubtful && writersHold != null ? writersHold.transferable() : null;
    }

    /** Returns false: readers share the hold, and do not hand it off to one another. */
    @Override
    public boolean mayHandOff(long token, long now) {
        return false;
    }

    /** Returns the same lease: the outcome of a reader's request applies to that reader. */
    @Override
    LeaseRecord current(LeaseRecord former) {
        return former;
    }

    @Override
    void deny(LossCause cause) {
        super.deny(cause);
        if (writersHold != null) {
            writersHold.deny(cause);
        }
    }

    @Override
    @Nullable
    LossCause denialCause() {
        LossCause cause = super.denialCause();
        return cause == null && writersHold != null ? writersHold.denialCause() : cause;
    }

    @Override
    @Nullable
    public LossCause handedTo(LeaseRecord next) {
        return denialCause();
    }
}
