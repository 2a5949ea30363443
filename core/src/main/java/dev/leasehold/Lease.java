package dev.leasehold;

import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleaseRequestedEvent;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition of a lock: an id, an owner, a fencing token and a deadline. Not tied to a thread: any thread may use,
 * extend and close it. All methods are safe for use by several threads.
 *
 * <p>The client renews a lease in the background, as its {@link LockOptions} specify, until it is released. A lease is
 * <em>lost</em> when it ends in any other way: not renewed in time, taken over, deleted, or no longer confirmable.
 * There is always a gap between the true end in Redis and the moment when a paused process learns of it. Only the
 * guarded resource can close this gap, by checking the {@link #fencingToken()}.
 */
public interface Lease extends AutoCloseable {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns the owner of this lease: the named owner, or else the first characters of the id of this acquisition. The
     * whole id is a secret, because it allows releasing the hold; it is never returned.
     *
     * @return the owner
     */
    String owner();

    /**
     * Returns a number that rises at every change of the lock's holder, for the guarded resource to check. Local;
     * constant for the whole life of the lease, also after its end. Below 2<sup>53</sup>.
     *
     * @return the token
     * @throws UnsupportedOperationException if the lease is of permits of a semaphore, or of a lock in a {@linkplain
     *     dev.leasehold.interop.Formats format} that stores no token
     */
    long fencingToken();

    /**
     * Returns whether the holder may rely on the lease at this moment. Local: sends no request. False once the lease is
     * released, lost, or past its deadline, and while the clock of a suspended machine makes it suspect.
     *
     * @return true while the lease is valid
     */
    boolean isHeld();

    /**
     * Throws unless the lease is valid. Local, except that one round trip confirms a lease that a clock jump has made
     * suspect.
     *
     * @throws LeaseLostException if the lease was lost or released
     * @throws LockUnavailableException if the lease is suspect and Redis did not answer within the command timeout
     */
    void ensureHeld();

    /**
     * Returns how long the lease is valid without another renewal, by the local monotonic clock.
     *
     * @return the time left, zero if it is not held
     */
    Duration remaining();

    /**
     * Extends the lease once, to the remaining time plus the given time. The request carries the total, so that a
     * repeat after a lost answer adds nothing twice. Renewal continues as before and never shortens the extended lease; it restores an
     * extension that a failover lost. A lease may be extended beyond its {@linkplain LockOptions.Builder#maxHold maximum hold}, which
     * limits only the renewal.
     *
     * @param time the time to add; positive. The remaining time plus this must not exceed the client's maximum lease
     *     time
     * @return true if Redis confirmed it; false if the lease is lost
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released, if the client is closed meanwhile, or if the calling thread is an
     *     {@linkplain dev.leasehold.spi.EventLoops event loop}; the extension changes nothing then
     * @throws LockUnavailableException if Redis did not answer within the command timeout; the lease keeps the
     *     deadline it had, unless a late answer confirms the extension
     */
    boolean extend(Duration time);

    /**
     * The asynchronous form of {@link #extend}. Invalid arguments are rejected by the call itself.
     *
     * @param time the time to add; positive
     * @return a stage that completes with true if Redis confirmed the extension and with false if the lease is lost, or
     *     fails with a {@link LockUnavailableException}, or with an {@link IllegalStateException} if the client is closed meanwhile
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released
     */
    CompletionStage<Boolean> extendAsync(Duration time);

    /**
     * Releases the lock. Idempotent: later calls do nothing. Returns after the command timeout at the latest: if Redis
     * has not answered by then, the release is repeated in the background. On an {@linkplain dev.leasehold.spi.EventLoops event
     * loop} it only sends the release, and does not wait for the answer.
     *
     * @throws LeaseLostException if the lease was lost before; thrown once, by the first call of {@code release} or
     *     {@code close}
     * @throws IllegalStateException if the lease belongs to a thread that called {@code lock()}: its last {@code unlock()}
     *     ends it
     */
    void release();

    /**
     * The asynchronous form of {@link #release()}; from the call on, the lease is neither held nor renewed. The release
     * continues even if the stage is cancelled.
     *
     * @return a stage that completes with null when Redis has confirmed the release or the command timeout has passed,
     *     and fails with a {@link LeaseLostException} if the lease was lost before. Dependent stages run where those of
     *     {@link DistributedLock#acquireAsync()} run
     * @throws IllegalStateException immediately, as {@link #release()} specifies
     */
    CompletionStage<@Nullable Void> releaseAsync();

    /**
     * Registers a listener for the loss of this lease. The client calls it exactly once, on its event executor and
     * never under a lock: immediately if the lease is lost already, and never if it was released. An exception that it
     * throws is logged.
     *
     * @param listener the listener
     */
    void onLost(Consumer<LossEvent> listener);

    /**
     * Registers a listener for the request to release this lease ({@link DistributedLock#requestRelease}). The client
     * calls it at most once, however often the release is requested, on its event executor and never under a lock:
     * immediately if the request is known already. The lease stays held and renewed, whatever the listener does. An
     * exception that it throws is logged.
     *
     * <p>The client learns of a request from the answer to a renewal, so by default within a third of the lease time,
     * or to an {@link #extend}. The listener is not called for a lease that is neither renewed nor extended, nor for a
     * lease of a {@linkplain dev.leasehold.interop.Formats#plain() plain lock}.
     *
     * @param listener the listener
     */
    void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener);

    /**
     * Returns a string with which another process can take over this lease by {@link Leasehold#resume(String)}, for
     * example after a planned restart. Every call returns the same string, which works once. Sends no request, unless
     * the renewal of the lease is overdue, as after a hold that was {@linkplain LockOptions#retainFor() retained}, or the clocks of this
     * machine jumped: then Redis must confirm the lease first.
     *
     * <p>The lease stays held and renewed until it is taken over. Then it is lost immediately: a guarded resource
     * refuses its {@link #fencingToken()} from the first use of the new one. The holder is notified at its next
     * renewal, with the cause {@link dev.leasehold.event.LossCause#TAKEN_OVER}, or
     * {@link dev.leasehold.event.LossCause#DELETED} if the lock was released by then. Stop the work before the string
     * is used.
     *
     * <p>From this call on, {@link #close()} and the end of the client leave the hold in Redis for the process that
     * resumes it. The hold stays until its lease ends: at least two thirds of the lease time, as long as renewals
     * succeed, or what is left of a lease that its options do not renew. If the restart takes longer, {@link #extend} the lease
     * first. {@link #release()} releases the lock and voids the string, and so does the last {@link DistributedLock#unlock} of a
     * thread. The {@linkplain LockOptions.Builder#minHold minimum hold} of the resuming process replaces that of this lease.
     *
     * <p>The string is a <strong>secret</strong>: any process that has it can take the lock. Keep it out of logs and
     * messages. It has up to 3,000 ASCII characters: letters, digits, and {@code . - _}.
     *
     * @return the string
     * @throws LeaseLostException if the lease was lost or released
     * @throws IllegalStateException if renewal has stopped at the {@linkplain LockOptions.Builder#maxHold maximum hold}, and less
     *     than two thirds of the lease time are left: {@link #extend} the lease first
     * @throws LockUnavailableException if Redis had to confirm the lease, and did not; nothing was exported
     * @throws UnsupportedOperationException if it is a lease of the read side of a read-write lock, of permits of a semaphore, of
     *     {@linkplain Leasehold#allOf several locks}, of a quorum, or of a lock in the {@linkplain dev.leasehold.interop.Formats format}
     *     of others
     */
    String export();

    /**
     * Releases the lock like {@link #release()}, unless the lease was {@linkplain #export() exported}. The hold of an
     * exported lease stays in Redis until it is resumed or ends. This lease is then neither held nor renewed, and
     * {@code close} throws nothing even if it was taken over. In try-with-resources, an exception of the body stays the
     * primary one.
     */
    @Override
    void close();
}
