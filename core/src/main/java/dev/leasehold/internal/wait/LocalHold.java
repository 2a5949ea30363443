package dev.leasehold.internal.wait;

import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.lease.LocalGrant;
import dev.leasehold.internal.lease.SharedReadHold;
import org.jspecify.annotations.Nullable;

/**
 * The hold that passes from lease to lease of this process, as the waiters of one local queue see it. Changed only inside
 * the map of {@link LocalQueues}; read by any thread.
 *
 * <table>
 * <caption>States and what ends them</caption>
 * <tr><th>state</th><th>meaning</th><th>next</th></tr>
 * <tr><td>none</td><td>no lease will hand off the lock: the first waiter polls Redis</td><td>held, read, offered</td></tr>
 * <tr><td>held</td><td>a lease has the lock and may hand it off</td><td>offered, read, held by its successor, none</td></tr>
 * <tr><td>read</td><td>readers have the lock from such a lease</td><td>held, offered, none</td></tr>
 * <tr><td>offered</td><td>the lock is between two leases: the first waiter is on its way, and others may barge</td><td>held
 * by the taker, none if too little is left of the hold</td></tr>
 * </table>
 *
 * <p>Every hand-off is an offer that one waiter takes. The releasing thread takes it at once for a first waiter that must
 * not be overtaken; else the offer stays open until the first waiter, or another before it, takes it.
 */
final class LocalHold {

    /** A woken waiter arrives within some 50 µs. After so long nobody overtakes it any more. */
    private static final long BARGING_NANOS = 1_000_000;

    static final int MAX_BARGES = 64;

    private static final State NONE = new State(null, null, null);

    private volatile State state = NONE;

    /** How many waiters have overtaken the first since an offer was first open to it. */
    private int barges;

    private long firstOfferedAt;

    /**
     * A state.
     *
     * @param holder the lease that may hand off the lock, or the record of the waiter to which it is offered; null if there
     *     is none
     * @param readers the readers that have the lock from the holder; null if there are none
     * @param offer what the next lease gets; null unless offered
     */
    private record State(
            @Nullable LeaseRecord holder,
            @Nullable SharedReadHold readers,
            @Nullable LocalGrant offer) {}

    /** The lease whose successors wait for a hand-off; null if there is none. */
    @Nullable
    LeaseRecord holder() {
        return state.holder;
    }

    /** The open offer; null if there is none. */
    @Nullable
    LocalGrant offer() {
        return state.offer;
    }

    /** Another waiter is the first. */
    void firstChanged() {
        barges = 0;
    }

    /** Returns whether another waiter may take an offer of that moment before the first does. */
    boolean mayBarge(long offeredAt) {
        return barges == 0 || (barges < MAX_BARGES && offeredAt - firstOfferedAt < BARGING_NANOS);
    }

    /** Leaves an offer open to the first waiter, with its record, and to those who arrive before it. */
    void offer(LocalGrant grant, LeaseRecord ofFirst) {
        if (barges == 0) {
            firstOfferedAt = grant.at();
        }
        state = new State(ofFirst, null, grant);
    }

    /** A waiter that is not the first has taken an offer. */
    void barged() {
        barges++;
    }

    /** A lease has the lock and may hand it off. */
    void heldBy(LeaseRecord holder) {
        state = new State(holder, null, null);
    }

    /** The holder lets readers in. */
    void readBy(LeaseRecord holder, SharedReadHold readers) {
        state = new State(holder, readers, null);
    }

    /** Those readers have left, and their writer still has the lock. */
    void readersLeft(SharedReadHold readers) {
        State last = state;
        if (last.readers == readers) {
            state = new State(last.holder, null, last.offer);
        }
    }

    /** Returns whether this lease has the lock, or those readers have it from this lease. */
    boolean isHeldBy(LeaseRecord record, @Nullable SharedReadHold readers) {
        State now = state;
        return now.holder == record && now.readers == readers;
    }

    /** The readers that have the lock; null if there are none. */
    @Nullable
    SharedReadHold readers() {
        return state.readers;
    }

    /** The lock will not be handed off. */
    void end() {
        state = NONE;
    }
}
