package dev.leasehold;

import dev.leasehold.inspect.LockInfo;
import java.util.Optional;

/**
 * Elects one leader among processes, or parts of them: at most one of all who stand leads at a time. Who leads holds the
 * fair lock of the election's name, on a lease that is renewed as long as it leads; so the election needs nothing in Redis
 * that a lock does not have, and {@link DistributedLock#inspect()} and {@link DistributedLock#forceRelease()} of
 * {@code leasehold.fairLock(name)} show the leader and depose it.
 *
 * <pre>{@code
 * Candidacy candidacy = leasehold.leaderElection("scheduler").stand(new LeaderListener() {
 *     public void onElected(Term term) {
 *         scheduler.start(term.fencingToken());
 *     }
 *
 *     public void onDemoted(Term term, DemotionReason reason) {
 *         scheduler.stop();
 *     }
 * });
 * }</pre>
 *
 * <p>Candidates are served in the order in which they stood, by Redis; who resigns goes to the end. When a leader dies, the
 * next is elected when its lease has ended, or about a second later if the next is dead, too. A shorter lease, by
 * {@link #with}, elects sooner, and bears shorter outages.
 *
 * <p><strong>When Redis does not answer</strong>, a leader stays the leader until its lease has ended without a confirmed
 * renewal; then it is demoted, and stands again by itself. A candidate goes on standing, also if Redis does not answer when
 * it begins: nothing is thrown, and the log tells of it. Whatever else an attempt fails with, such as another thing under the
 * lock's key or a missing right, is logged, and it is tried again about every second at first and every eight seconds later.
 *
 * <p>Between the true end of a term and the moment a paused process learns of it there is always a gap: pass
 * {@link Term#fencingToken()} to the resources the leader writes to.
 *
 * <p>Views are immutable and safe for use by any thread.
 */
public interface LeaderElection {

    /**
     * The name of the election, and of its lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Stands for election until the candidacy, or the client, is closed. Returns at once; no thread waits. Each call is a
     * candidate of its own, also within one process.
     *
     * @param listener is told when a term of this candidate begins and ends
     * @return what ends the candidacy; the client keeps it, so that it need not be kept
     * @throws IllegalStateException if the client is closed
     */
    Candidacy stand(LeaderListener listener);

    /**
     * The same election with other options for the leader's lease, such as its lease time.
     *
     * @param options for who stands through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum, or if the wait strategy is to poll
     */
    LeaderElection with(LockOptions options);

    /**
     * Who leads, as Redis sees it now. One round trip.
     *
     * @return the holder of the election's lock, or empty if nobody leads
     * @throws LockUnavailableException if Redis did not answer within the command time-out
     * @throws ForeignKeyException if something else lies under the lock's key
     * @throws IllegalStateException if the client is closed
     */
    Optional<LockInfo> leader();
}
