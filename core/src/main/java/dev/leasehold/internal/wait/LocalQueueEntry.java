package dev.leasehold.internal.wait;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.store.Waiter;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** One acquisition in the local queue of a lock, or alone at the lock, as {@link LocalQueues} describes. */
final class LocalQueueEntry extends WakeableEntry {

    private static final AtomicReferenceFieldUpdater<LocalQueueEntry, @Nullable Object> SLOT =
            AtomicReferenceFieldUpdater.newUpdater(LocalQueueEntry.class, Object.class, "slot");

    private final Services services;
    private final LockKey key;
    private final @Nullable OwnerKey owner;
    private final LockOptions options;

    /** The queue; null while the acquisition is alone. Set inside the map of {@link LocalQueues}. */
    private volatile @Nullable LocalQueue queue;

    /** How the latest request appears in the queue of Redis. */
    private volatile Waiter requested = Waiter.NONE;

    /**
     * Where a hand-off arrives: null while the acquisition does not await one, its record while it does, and the grant after
     * it was handed the lock.
     */
    private volatile @Nullable Object slot;

    /** Whether the first of the readers that wait with it has the lock, and it has not checked since. */
    private volatile boolean invited;

    /** Whether it was woken for an offer, and has not paused since: it will find the offer by itself. */
    private volatile boolean wokenForOffer;

    /** Its latest request that waits, until that is answered; null if there is none. */
    private @Nullable Waiter open;

    private boolean over;

    /** What an entry needs of the client's queues. */
    interface Services {

        /** Puts an entry that was alone into a queue. */
        void enqueue(LocalQueueEntry entry);

        /** The acquisition has ended; with the record to which Redis granted the lock, or null. */
        void leave(LocalQueueEntry entry, @Nullable LeaseRecord granted);

        /** Takes the lock if it is offered to this entry. */
        @Nullable
        LocalGrant takeOffer(LocalQueueEntry entry, LeaseRecord record);

        /** Returns whether a writer of this process will hand the lock to this reader. */
        boolean writersHandOffTo(ReadKey key, LocalQueueEntry reader);

        /** Returns how many acquisitions wait to read, if the key is that of writers. */
        int waitingReaders(LockKey key);

        /** Redis told the first waiter of a queue its position. */
        void positioned(LocalQueue queue, long position, boolean standby);

        /** Redis gave a position that the entry does not need. */
        void giveUpUnlessKnown(LockKey key, long position);

        /** An acquisition without an answer has ended, which may have taken another position than the one that stays. */
        void giveUpThatOf(LockKey key, AcquisitionId taker, long stays);

        /** Entries of a queue, except one, learn that a reader has the lock. */
        void inviteOthers(LocalQueueEntry entry);

        /** Other entries of the queue poll: all, or those of one owner. */
        void pollOthers(LocalQueueEntry entry, @Nullable OwnerKey owner);

        /** The channel for wake-ups of a lock. */
        String channelOf(LockKey key);

        /** Subscribes to wake-ups unless it has. Returns whether they are received by now. */
        boolean ensureSubscribed();
    }

    LocalQueueEntry(Services services, LockKey key, @Nullable OwnerKey owner, LockOptions options) {
        // The lock may be open to such an acquisition though others wait.
        super(owner != null || key.kind().eachAsks());
        this.services = services;
        this.key = key;
        this.owner = owner;
        this.options = options;
    }

    LockKey key() {
        return key;
    }

    /** The queue; null while the acquisition is alone. */
    @Nullable
    LocalQueue queue() {
        return queue;
    }

    /** It is in a queue from now on. */
    void joined(LocalQueue its) {
        queue = its;
        // In this order, and nextWaiter(...) in the other: so one of both sees the request that is in flight.
        if (requested.waits() && its.first() == this) {
            its.position().requested();
        }
    }

    private LocalQueue enqueued() {
        LocalQueue its = queue;
        if (its == null) {
            services.enqueue(this);
            its = queue;
        }
        if (its == null) {
            throw new IllegalStateException("an acquisition that is in no queue");
        }
        return its;
    }

    /** Returns whether it is the waiter that polls Redis. */
    boolean first() {
        LocalQueue its = queue;
        return its == null || its.first() == this;
    }

    @Override
    public boolean isAlone() {
        return queue == null;
    }

    /** Returns whether others wait before it, or a lease of this process will hand off the lock. */
    @Override
    public boolean waitsLocally() {
        return !first() || awaitsHandOff();
    }

    /** Returns whether a lease of this process has the lock that can be handed to it as it is. */
    boolean awaitsHandOff() {
        LocalQueue its = queue;
        return (its != null && its.handsOffTo(this))
                || (key instanceof ReadKey read && services.writersHandOffTo(read, this));
    }

    /** Returns whether a poll can only find that the lock is free: a named owner may enter though it is not. */
    boolean pollsForAFreeLock() {
        return owner == null && key.kind() == LockKind.STANDARD;
    }

    @Override
    public long exemptUntil(long now, long lastPoll) {
        LocalQueue its = queue;
        if (its == null || polls() || !pollsForAFreeLock() || now - lastPoll >= 0) {
            return now;
        }
        long until = its.position().exemptUntil(now);
        return until - lastPoll < 0 ? until : lastPoll;
    }

    /** Returns whether the lock can be handed to it from this lease as it is: neither could tell the holds apart. */
    boolean follows(LeaseRecord from) {
        return owner == null
                && !options.durability().enabled()
                && !from.durable()
                && (key.kind().handsOff() || key.kind() == LockKind.READ)
                && !from.ofNamedOwner()
                && from.options().leaseTime().equals(options.leaseTime())
                && from.options().renewal().equals(options.renewal());
    }

    @Override
    public void awaitHandOff(LeaseRecord record) {
        LocalQueue its = enqueued();
        // A grant that arrived since the last check stays.
        SLOT.compareAndSet(this, null, record);
        wokenForOffer = false;
        if (first() && its.hold().offer() != null) {
            wake();
        }
    }

    @Override
    public @Nullable LocalGrant takeHandOff(LeaseRecord record) {
        if (slot instanceof LocalGrant grant) {
            return grant;
        }
        LocalQueue its = queue;
        return its == null || its.hold().offer() == null ? null : services.takeOffer(this, record);
    }

    @Override
    public @Nullable LocalGrant endHandOff(LeaseRecord record) {
        Object last = slot;
        if (last instanceof LeaseRecord && SLOT.compareAndSet(this, last, null)) {
            // It awaited a hand-off: an offer may be open to it, and must not stay open to it any more.
            return services.takeOffer(this, record);
        }
        return (LocalGrant) slot;
    }

    /** Its record, if the lock may be handed to it. */
    @Nullable
    LeaseRecord awaiting() {
        return slot instanceof LeaseRecord record ? record : null;
    }

    /** Hands the lock to its record. Returns false if it does not await a hand-off any more. */
    boolean deliver(LeaseRecord record, LocalGrant grant) {
        return SLOT.compareAndSet(this, record, grant);
    }

    /** The lock is offered to it. */
    void wakeForOffer() {
        if (!wokenForOffer) {
            wokenForOffer = true;
            wake();
        }
    }

    /** A reader that waited before it has the lock. */
    void invite() {
        invited = true;
        wake();
    }

    @Override
    public boolean takeInvitation() {
        boolean was = invited;
        invited = false;
        return was;
    }

    boolean hasOwner(OwnerKey other) {
        return other.equals(owner);
    }

    @Override
    public int tokens() {
        LocalQueue its = queue;
        int others = its == null ? 0 : its.size() - 1;
        return owner == null && key.kind().handsOff() ? ProcessHold.tokens(others + services.waitingReaders(key)) : 1;
    }

    @Override
    public Waiter nextWaiter(boolean takesPosition) {
        LocalQueue its = queue;
        long position = its == null ? 0 : its.position().number();
        boolean waits = first() && (takesPosition || position > 0);
        Waiter next = waits ? new Waiter(services.channelOf(key), position, tokens(), false) : Waiter.NONE;
        requested = next;
        open = waits ? next : open;
        its = queue;
        if (waits && its != null && its.first() == this) {
            its.position().requested();
        }
        return next;
    }

    @Override
    public void positioned(long position, int rank) {
        LocalQueue its = enqueued();
        if (!requested.waits()) {
            return;
        }
        open = null;
        if (its.first() == this) {
            services.positioned(its, position, rank == 1);
        } else {
            // It sent its request alone, and a queue began before it was in it.
            services.giveUpUnlessKnown(key, position);
        }
    }

    @Override
    public void positionedLate(long position) {
        services.giveUpUnlessKnown(key, position);
    }

    @Override
    public boolean queueForWakeUp() {
        LocalQueue its = enqueued();
        return its.first() != this || (its.position().number() > 0 && !polls() && services.ensureSubscribed());
    }

    @Override
    public void outage(@Nullable RuntimeException failure, long since) {
        LocalQueue its = enqueued();
        if (its.first() == this) {
            its.outage(failure == null ? null : new Outage(failure, since));
        }
    }

    @Override
    public @Nullable Outage outage() {
        LocalQueue its = queue;
        return its == null ? null : its.outage();
    }

    @Override
    public void pollOthers() {
        services.pollOthers(this, null);
    }

    @Override
    public void granted(LeaseRecord record) {
        LocalQueue its = queue;
        if (its != null && requested.waits() && its.first() == this) {
            its.position().removed();
        }
        if (key.kind() == LockKind.READ) {
            // Before the next polls, which would send a request.
            services.inviteOthers(this);
        }
        end(record);
        // A last try does not wait, and so does not look for the position of an earlier request without an answer.
        giveUpOpen(requested.waits() ? null : record.id());
        if (owner != null) {
            services.pollOthers(this, owner);
        }
    }

    @Override
    public void leave(@Nullable AcquisitionId unanswered) {
        end(null);
        giveUpOpen(unanswered);
    }

    private void giveUpOpen(@Nullable AcquisitionId taker) {
        if (taker != null && open != null) {
            services.giveUpThatOf(key, taker, open.position());
        }
    }

    private void end(@Nullable LeaseRecord granted) {
        if (!over) {
            over = true;
            services.leave(this, granted);
        }
    }
}
