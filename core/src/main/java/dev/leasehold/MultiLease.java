package dev.leasehold;

import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * One acquisition of {@linkplain Leasehold#allOf several locks}: held only while all of them are held. In Redis each
 * lock has its own hold and fencing token and is renewed like any other; to the caller they are one lease.
 *
 * <p>The lease is lost as a whole as soon as the first of its locks is lost. The holder is notified once, by a
 * {@link LossEvent} that names that lock. The client does not release the other locks then: code that does not know of
 * the loss yet still works under them. It renews them until {@link #release()} or {@link #close()}, which releases
 * them.
 */
public interface MultiLease extends Lease {

    /**
     * The names of the locks.
     *
     * @return the names in the order in which the caller gave them; immutable
     */
    List<String> names();

    /**
     * The names of the locks as one text, for people, separated by a comma and a space. Programs use {@link #names()}.
     *
     * @return the names in the order in which the caller gave them
     */
    @Override
    String name();

    /**
     * Returns the owner of this lease: the first characters of the id of its hold of the first lock. The holds of the
     * other locks have their own ids.
     *
     * @return the owner
     */
    @Override
    String owner();

    /**
     * Returns the fencing token of one of the locks: a number that rises at every change of its holder, for the
     * resource that this lock guards to check. Local; constant for the whole life of the lease, also after its end.
     * Below 2<sup>53</sup>.
     *
     * @param name one of {@link #names()}
     * @return the token
     * @throws IllegalArgumentException if the lease has no lock of that name
     */
    long fencingToken(String name);

    /**
     * Not supported: each lock has its own token, and a resource must not be given the token of another.
     *
     * @throws UnsupportedOperationException always; use {@link #fencingToken(String)}
     */
    @Override
    long fencingToken();

    /**
     * Returns the shortest remaining time of any of the locks.
     *
     * @return the time left, zero if it is not held
     */
    @Override
    Duration remaining();

    /**
     * Extends the lease of each lock once, to its remaining time plus the given time. The requests are sent in
     * parallel.
     *
     * @param time the time to add; positive. The remaining time plus this must not exceed the client's maximum lease
     *     time
     * @return true if Redis confirmed it for each lock; false if the lease is lost
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released
     * @throws LockUnavailableException if Redis did not answer for one of the locks within the command timeout: that
     *     lock keeps its deadline; the others may have been extended
     */
    @Override
    boolean extend(Duration time);

    /**
     * Releases all locks in parallel. Idempotent: later calls do nothing. Returns after the command timeout at the
     * latest: a release that Redis has not answered by then is repeated in the background.
     *
     * @throws LeaseLostException if one of the locks was lost before; the exception names it. The other locks are
     *     released. Thrown once, by the first call of {@code release} or {@code close}
     */
    @Override
    void release();

    /**
     * Registers a listener for the loss of this lease, as {@link Lease#onLost} does. The client calls it exactly once,
     * with the first loss, however many of the locks are lost.
     *
     * @param listener the listener
     */
    @Override
    void onLost(Consumer<LossEvent> listener);

    /**
     * Registers a listener for requests to release one of the locks, as {@link Lease#onReleaseRequested} does. The
     * client calls it at most once per lock, with the lock's name.
     *
     * @param listener the listener
     */
    @Override
    void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener);

    /**
     * Not supported: another process could take over some of the holds without the others.
     *
     * @throws UnsupportedOperationException always; acquire each lock by {@link Leasehold#lock}, and export these leases
     */
    @Override
    String export();
}
