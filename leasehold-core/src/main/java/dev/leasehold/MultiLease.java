package dev.leasehold;

import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * One acquisition of {@linkplain Leasehold#allOf several locks}: held only while all of them are. Each lock has a hold and a
 * fencing token of its own in Redis, and is renewed as any other; here they are one lease.
 *
 * <p>It is lost as a whole as soon as the first of its locks is lost, and this is told once, by the one {@link LossEvent}
 * that names that lock. The other locks are neither taken away from the holder nor let go then: who has not heard of the
 * loss yet still works under them. They are renewed until {@link #release()} or {@link #close()}, which gives them back.
 */
public interface MultiLease extends Lease {

    /**
     * The names of the locks.
     *
     * @return the names in the order in which the caller gave them; immutable
     */
    List<String> names();

    /**
     * The names of the locks as one text, for people: separated by a comma and a blank. Programs use {@link #names()}.
     *
     * @return the names in the order in which the caller gave them
     */
    @Override
    String name();

    /**
     * Who owns this lease: the first characters of the id of its hold of the first lock. The holds of the others have ids
     * of their own.
     *
     * @return the owner
     */
    @Override
    String owner();

    /**
     * The fencing token of one of the locks: a number that rises at every change of its holder, for what that lock guards
     * to check. Local; stays the same for the whole life of the lease, also after its end. Below 2<sup>53</sup>.
     *
     * @param name one of {@link #names()}
     * @return the token
     * @throws IllegalArgumentException if the lease is of no lock of that name
     */
    long fencingToken(String name);

    /**
     * Refused: each lock has a token of its own, and one resource must not be shown that of another.
     *
     * @throws UnsupportedOperationException always; use {@link #fencingToken(String)}
     */
    @Override
    long fencingToken();

    /**
     * The least of what is left of any of the locks.
     *
     * @return the time left, zero if it is not held
     */
    @Override
    Duration remaining();

    /**
     * Extends the lease of each lock to what remains of it plus the given time, once. The locks are asked for side by side.
     *
     * @param time what to add; positive. Remaining plus given must not exceed the client's maximum lease time
     * @return true if Redis confirmed it for each lock; false if the lease is lost
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released
     * @throws LockUnavailableException if Redis did not answer for one of the locks within the command time-out: that one
     *     keeps the deadline it had, the others may have been extended
     */
    @Override
    boolean extend(Duration time);

    /**
     * Gives all locks back, side by side. Idempotent: later calls do nothing. Returns after the command time-out at the
     * latest: what Redis does not answer by then is repeated in the background.
     *
     * @throws LeaseLostException if one of the locks was lost before, whose name it has; the others were given back all the
     *     same. Told once, by whichever of {@code release} and {@code close} comes first
     */
    @Override
    void release();

    /**
     * Registers a listener for the loss of this lease, as {@link Lease#onLost} does: it is called exactly once, whatever
     * number of the locks is lost, with the first of these losses.
     *
     * @param listener what to call
     */
    @Override
    void onLost(Consumer<LossEvent> listener);

    /**
     * Registers a listener for requests to release one of the locks, as {@link Lease#onReleaseRequested} does: it is called once
     * at the most for each of them, with its name.
     *
     * @param listener what to call
     */
    @Override
    void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener);

    /**
     * Refused: several holds could be taken over in part.
     *
     * @throws UnsupportedOperationException always; acquire each lock by {@link Leasehold#lock}, and export these leases
     */
    @Override
    String export();
}
