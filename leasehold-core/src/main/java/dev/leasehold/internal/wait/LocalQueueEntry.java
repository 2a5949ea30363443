package dev.leasehold.internal.wait;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.ProcessHold;
import dev.leasehold.internal.script.Waiter;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One acquisition in the line of its client for a lock. */
final class LocalQueueEntry extends WakeableEntry {

    private final LocalWaiters room;
    final LocalQueue line;
    private final @Nullable OwnerKey owner;
    private final LockOptions options;
    private Waiter asked = Waiter.NONE;

    /**
     * Where the lock is handed over: null while the acquisition is not ready for it, its record while it is, and the
     * grant when it was handed it.
     */
    private final AtomicReference<@Nullable Object> slot = new AtomicReference<>();

    /** Whether the first of those who wait to read with it has come in, and it has not looked since. */
    private volatile boolean invited;

    /** Whether it was woken for the open lock, and has not paused since: it will see for itself. */
    private volatile boolean onItsWay;

    LocalQueueEntry(LocalWaiters room, LocalQueue line, @Nullable OwnerKey owner, LockOptions options) {
        // The first look is everybody's who may find the lock open to him though others wait.
        super(owner != null || line.key.kind().eachAsks());
        this.room = room;
        this.line = line;
        this.owner = owner;
        this.options = options;
    }

    /** Others stand before it, or a lease of this process that hands the lock on. */
    @Override
    public boolean behind() {
        return line.first != this || waitsToBeHanded();
    }

    /** Whether a lease of this process has the lock that can go to it as it is. */
    boolean waitsToBeHanded() {
        return line.handsOnTo(this) || (line.key instanceof ReadKey key && room.handsOnTo(key, this));
    }

    /** Whether all that a look can tell it is that the lock is free: who has an owner may enter though it is not. */
    boolean looksForAFreeLock() {
        return owner == null && line.key.kind() == LockKind.STANDARD;
    }

    @Override
    public long sparedUntil(long now, long lastLook) {
        if (!looksForAFreeLock() || now - lastLook >= 0) {
            return now;
        }
        long until = line.sparedUntil(now);
        return until - lastLook < 0 ? until : lastLook;
    }

    /** Whether it is the one that speaks to Redis. */
    boolean first() {
        return line.first == this;
    }

    /** Whether the lock can go from this lease to it as it is: neither could tell the holds apart. */
    boolean follows(LeaseRecord from) {
        return owner == null
                && !options.durability().enabled()
                && !from.durable()
                && (line.key.kind().handsOn() || line.key.kind() == LockKind.READ)
                && !from.ofNamedOwner()
                && from.options().leaseTime().equals(options.leaseTime())
                && from.options().renewal().equals(options.renewal());
    }

    @Override
    public void ready(LeaseRecord record) {
        // What was handed to it since it looked stays.
        slot.compareAndSet(null, record);
        onItsWay = false;
        if (first() && line.open != null) {
            wake();
        }
    }

    @Override
    public @Nullable LocalGrant take(LeaseRecord record) {
        if (slot.get() instanceof LocalGrant grant) {
            return grant;
        }
        return line.open == null ? null : room.takeOpen(this, record);
    }

    @Override
    public @Nullable LocalGrant close(LeaseRecord record) {
        UnaryOperator<@Nullable Object> keepGrant = there -> there instanceof LocalGrant ? there : null;
        Object last = slot.getAndUpdate(keepGrant);
        if (last == null || last instanceof LocalGrant) {
            return (LocalGrant) last;
        }
        // It was ready: the lock may be open to it, and is not left open to it any more.
        return room.takeOpen(this, record);
    }

    /** Hands it the lock, if it is ready: returns the record that has it now. */
    @Nullable
    LeaseRecord hand(LocalGrant grant) {
        return slot.get() instanceof LeaseRecord record && slot.compareAndSet(record, grant) ? record : null;
    }

    /** A reader has come in who stood before it. */
    void invite() {
        invited = true;
        wake();
    }

    @Override
    public boolean invited() {
        boolean was = invited;
        invited = false;
        return was;
    }

    /** The lock is open to it. */
    void comes() {
        if (!onItsWay) {
            onItsWay = true;
            wake();
        }
    }

    /** Its record, if the lock may be handed to it. */
    @Nullable
    LeaseRecord ready() {
        return slot.get() instanceof LeaseRecord record ? record : null;
    }

    boolean hasOwner(OwnerKey other) {
        return other.equals(owner);
    }

    @Override
    public Waiter waiter(boolean take) {
        long place = line.place;
        boolean waits = first() && (take || place > 0);
        int tokens = owner == null && line.key.kind().handsOn() ? ProcessHold.tokens(room.waiting(line) - 1) : 1;
        if (waits) {
            line.mayLearn = true;
        }
        asked = waits ? new Waiter(room.channelOf(line.key), place, tokens, false) : Waiter.NONE;
        return asked;
    }

    @Override
    public void placed(long place, int rank) {
        if (asked.waits()) {
            line.standsBy = rank == 1;
            room.placed(line, place);
        }
    }

    @Override
    public void placedLate(long place) {
        room.leftBehind(line.key, place);
    }

    @Override
    public boolean willBeCalled() {
        return !first() || (line.place > 0 && room.receivesWakeUps());
    }

    @Override
    public void trouble(@Nullable RuntimeException failure, long since) {
        line.trouble = failure == null ? null : new LocalQueue.Trouble(failure, since);
    }

    @Override
    public LocalQueue.@Nullable Trouble trouble() {
        return line.trouble;
    }

    @Override
    public void callOthers() {
        room.callAll(line, seat -> seat != this);
    }

    /** The place is free; whoever has the same owner can enter too, and other readers can join. */
    @Override
    public void granted(LeaseRecord record) {
        if (asked.waits()) {
            line.place = 0;
        }
        if (line.key.kind() == LockKind.READ) {
            // Before the next is called, which would ask.
            room.inviteAll(line, this);
        }
        room.leave(this, record);
        if (owner != null) {
            room.callAll(line, seat -> seat.hasOwner(owner));
        }
    }

    /** The next is called. */
    @Override
    public void leave() {
        room.leave(this, null);
    }
}
