package dev.leasehold.recipes;

import dev.leasehold.DistributedLock;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LockInfo;
import java.util.Optional;

/**
 * An election of one leader among processes, or parts of them: at most one candidate leads at a time. The leader holds
 * the fair lock of the election's name, on a lease that is renewed as long as it leads. So the election needs nothing
 * in Redis beyond a lock: {@link DistributedLock#inspect()} of {@code leasehold.fairLock(name)} shows the leader, and
 * {@link DistributedLock#forceRelease()} deposes it.
 *
 * <pre>{@code
 * Candidacy candidacy = Elections.of(leasehold).election("scheduler").stand(new LeaderListener() {
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
 * <p>Redis serves candidates in the order in which they stood; a candidate that resigns moves to the end. When a leader
 * dies, the next candidate is elected when the leader's lease has ended, or about a second later if that candidate is
 * dead, too. With a shorter lease, set by {@link #with}, the next election is sooner, but the leader tolerates only
 * shorter outages.
 *
 * <p><strong>When Redis does not answer</strong>, a leader stays the leader until its lease has ended without a
 * confirmed renewal; then it is demoted, and automatically stands again. A candidate continues to stand even if Redis
 * does not answer at the start: nothing is thrown, and the client logs it. If an attempt fails for another reason, such
 * as a foreign value under the lock's key or a missing permission, the client logs it and tries again, at first about
 * every second and later every eight seconds.
 *
 * <p>There is always a gap between the true end of a term and the moment when a paused process learns of it: pass
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
     * Stands for election until the candidacy, or the client, is closed. Returns immediately; no thread waits. Each
     * call is a separate candidate, also within one process.
     *
     * @param listener notified when a term of this candidate begins and ends
     * @return the candidacy, by which the caller ends it; the client holds a reference to it, so the caller need not
     *     keep one
     * @throws IllegalStateException if the client is closed
     */
    Candidacy stand(LeaderListener listener);

    /**
     * Returns the same election with other options for the leader's lease, such as its lease time.
     *
     * @param options the options of candidates that stand through the returned view
     * @return a view with these options
     * @throws IllegalArgumentException if the lease time exceeds the client's maximum, or if the wait strategy is to poll
     */
    LeaderElection with(LockOptions options);

    /**
     * Returns the leader, as Redis sees it now. One round trip.
     *
     * @return the holder of the election's lock, or empty if there is no leader
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws ForeignKeyException if the lock's key holds something else
     * @throws IllegalStateException if the client is closed
     */
    Optional<LockInfo> leader();
}
