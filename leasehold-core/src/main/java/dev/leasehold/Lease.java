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
 * <p>A lease is renewed in the background as its {@link LockOptions} say, until it is released. It is <em>lost</em>
 * when it ends in any other way: not renewed in time, taken over, deleted, or not confirmable any more. Between the
 * true end in Redis and the moment a paused process learns of it there is always a gap; only the guarded resource can
 * close it, by checking the {@link #fencingToken()}.
 */
public interface Lease extends AutoCloseable {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Who owns this lease: the named owner, or else the first characters of the id of this very acquisition. The whole
     * id is a secret, with which a hold could be released, and is never told.
     *
     * @return the owner
     */
    String owner();

    /**
     * A number that rises at every change of holder of this name, for the guarded resource to check. Local; stays the
     * same for the whole life of the lease, also after its end. Below 2<sup>53</sup>.
     *
     * @return the token
     * @throws UnsupportedOperationException if the lease is of a {@linkplain Leasehold#plainLock plain lock}, which has
     *     none
     */
    long fencingToken();

    /**
     * Whether the holder may rely on the lease at this moment. Local: asks nobody. False once released, lost, past the
     * deadline, or while a suspended machine's clock makes the lease suspect.
     *
     * @return true while the lease is valid
     */
    boolean isHeld();

    /**
     * Throws unless the lease is valid. Local, except that a lease made suspect by a clock that jumped is confirmed by
     * one round trip.
     *
     * @throws LeaseLostException if the lease was lost or released
     * @throws LockUnavailableException if the lease is suspect and Redis did not answer within the command time-out
     */
    void ensureHeld();

    /**
     * The time for which the lease is valid without another renewal, by the local monotonic clock.
     *
     * @return the time left, zero if it is not held
     */
    Duration remaining();

    /**
     * Extends the lease to what remains plus the given time, once. Sent as a total, so that a repeat after a lost
     * answer adds nothing twice. Renewal goes on as before and never shortens what was extended.
     *
     * @param time what to add; positive. Remaining plus given must not exceed the client's maximum lease time
     * @return true if Redis confirmed it; false if the lease is lost
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released
     * @throws LockUnavailableException if Redis did not answer within the command time-out; the lease keeps the
     *     deadline it had
     */
    boolean extend(Duration time);

    /**
     * The same as {@link #extend} without a waiting thread. Bad input is thrown by the call itself.
     *
     * @param time what to add; positive
     * @return completes with true if Redis confirmed it and with false if the lease is lost, or fails with a
     *     {@link LockUnavailableException}
     * @throws IllegalArgumentException if the time breaks the rule; the lease is unchanged
     * @throws IllegalStateException if the lease was released
     */
    CompletionStage<Boolean> extendAsync(Duration time);

    /**
     * Gives the lock back. Idempotent: later calls do nothing. Returns after the command time-out at the latest: when
     * Redis does not answer by then, the release is repeated in the background.
     *
     * @throws LeaseLostException if the lease was lost before; told once, by whichever of {@code release} and
     *     {@code close} comes first
     */
    void release();

    /**
     * The same as {@link #release()} without a waiting thread; from the call on the lease is neither held nor renewed.
     * Goes on whatever becomes of the stage.
     *
     * @return completes with null when Redis has confirmed it or the command time-out is over, and fails with a
     *     {@link LeaseLostException} if the lease was lost before. Dependent stages run where those of
     *     {@link DistributedLock#acquireAsync()} do
     */
    CompletionStage<@Nullable Void> releaseAsync();

    /**
     * Registers a listener for the loss of this lease. It is called exactly once, on the client's event executor, never
     * under a lock; at once if the lease is lost already; never if it was released. An exception it throws is logged.
     *
     * @param listener what to call
     */
    void onLost(Consumer<LossEvent> listener);

    /**
     * Registers a listener for the request to release this lease ({@link DistributedLock#requestRelease}). It is called once
     * at the most, however often somebody asks, on the client's event executor and never under a lock; at once if the request
     * is known already. The lease goes on being held and renewed whatever the listener does. An exception it throws is logged.
     *
     * <p>The client hears of a request when Redis answers a renewal, so within a third of the lease time by default, or an
     * {@link #extend}. A lease that is neither renewed nor extended does not hear of it, nor one of a
     * {@linkplain Leasehold#plainLock plain lock}.
     *
     * @param listener what to call
     */
    void onReleaseRequested(Consumer<ReleaseRequestedEvent> listener);

    /**
     * Gives a string with which another process can take this lease over, as after a planned restart:
     * {@link Leasehold#resume(String)}. Local: asks nobody. Each call gives the same string, which works once.
     *
     * <p>The lease goes on being held and renewed until it is taken over. Then it is lost at once: a guarded resource refuses its
     * {@link #fencingToken()} from the first use of the new one, and it is told at its next renewal, with the cause
     * {@link dev.leasehold.event.LossCause#TAKEN_OVER}, or {@link dev.leasehold.event.LossCause#DELETED} if the lock was
     * given back by then. Stop the work before the string is used.
     *
     * <p>From this call on {@link #close()}, and the end of the client, leave the hold in Redis for who resumes it:
     * until its lease ends, which is at least two thirds of the lease time away as long as renewals succeed.
     * {@link #extend} it first if the restart takes longer. {@link #release()} gives the lock back, and the string is void.
     *
     * <p>The string is a <strong>secret</strong>: whoever has it can take the lock. Keep it out of logs and messages. It has up to
     * 3,000 characters of ASCII: letters, digits, and {@code . - _}.
     *
     * @return the string
     * @throws LeaseLostException if the lease was lost or released
     * @throws UnsupportedOperationException if it is a lease of a {@linkplain Leasehold#plainLock plain lock}, of the read side
     *     of a read-write lock, or of {@linkplain Leasehold#allOf several locks}
     */
    String export();

    /**
     * The same as {@link #release()}, unless the lease was {@linkplain #export() exported}: then its hold stays in Redis until it
     * is resumed or its lease ends, this lease is neither held nor renewed any more, and nothing is thrown though it may have
     * been taken over. In try-with-resources an exception of the body stays the primary one.
     */
    @Override
    void close();
}
