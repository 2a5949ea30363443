package dev.leasehold.recipes;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A latch that processes count down and others await: a {@link java.util.concurrent.CountDownLatch} shared by all
 * processes that use the same Redis and key prefix.
 *
 * <p>One client {@linkplain #trySet sets} the count, once, together with an expiry. The count only falls. At zero the
 * latch is reached, and stays reached until it expires: a later {@code await} returns immediately. A latch is not a
 * lease: it has no holder, nothing renews it, and the death of a process does not change the count.
 *
 * <pre>{@code
 * DistributedLatch loaded = Latches.of(leasehold).latch("import:2026-11-21");
 * loaded.trySet(24, Duration.ofHours(6));          // the first client sets the count
 * loaded.countDown("part-" + part);                // in each worker, also after a restart
 * loaded.await();                                  // in the process that continues when all parts are loaded
 * }</pre>
 *
 * <p>While the latch exists, reached or not, {@code trySet} does not start it again. Work that repeats gives each of its
 * {@linkplain #round rounds} a number. A latch and a lock with the same name reject each other's key with
 * {@link ForeignKeyException}.
 *
 * <p><strong>A call takes effect at most once, however often it is sent.</strong> It carries an id, so that a retry
 * after a lost answer finds what the first attempt did. When Redis does not answer within the command timeout,
 * {@link #trySet} and {@link #countDown()} throw {@link LockUnavailableException}. Its {@code mayBeTaken} returns
 * whether Redis may still have executed the call. In that case, calling {@code countDown()} again may count twice.
 * {@link #countDown(String)} is safe to repeat.
 *
 * <p>If Redis loses data, for example in a failover to a replica that lags, count-downs or the latch itself may be
 * lost. The work behind the latch should therefore check its own preconditions.
 *
 * <p>Views are immutable and safe for use by any thread. Every method but the asynchronous ones throws
 * {@link IllegalStateException} once the client is closed; their stages fail with it.
 */
public interface DistributedLatch {

    /** The largest count: 100,000. Redis keeps every count-down until the latch expires. */
    int MAX_COUNT = 100_000;

    /** The largest number of a round: 2<sup>53</sup> &minus; 1. */
    long MAX_ROUND = (1L << 53) - 1;

    /**
     * The name of the latch.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Returns a view of one round of this latch, for work that repeats. Nothing is sent.
     *
     * <p>All processes number the rounds alike, each one above the last, and a round can be set once the last one that was
     * set is reached. Each call of the view concerns its round only, however late it arrives: of a reached round that others
     * have followed, {@code await} returns true, {@code countDown} and {@code count} return 0, and {@code trySet} returns
     * false. Of a round that is not set, has expired or was lost, they throw {@link LatchNotSetException}; {@code trySet}
     * returns false while an earlier round is not reached.
     *
     * <p>Skip no number: then the rounds before the gap are no longer there, though they were reached, and none of them
     * can be set again.
     *
     * <pre>{@code
     * DistributedLatch batch = Latches.of(leasehold).latch("batches").round(number);
     * batch.trySet(workers, Duration.ofHours(1));
     * batch.countDown("worker-" + worker);
     * batch.await();                                   // then all go on with number + 1
     * }</pre>
     *
     * <p>A round expires like a latch, but not before the round that it follows. A name is used either with rounds or
     * without: a call of the other kind throws {@link ForeignKeyException}.
     *
     * @param number the number of the round, 0 to {@link #MAX_ROUND}
     * @return a view of the round; if this is a view of a round itself, of another round of the same latch
     * @throws IllegalArgumentException if the number breaks the rule
     */
    DistributedLatch round(long number);

    /**
     * Sets the count if no latch of this name exists; for a {@linkplain #round round} see there. Every participant may
     * call it; the first call sets the count.
     *
     * @param count the number of count-downs after which the latch is reached, 1 to {@link #MAX_COUNT}
     * @param expiry the time until Redis removes the latch, reached or not: 50 ms to
     *     {@link LockOptions#MAX_LEASE_TIME}. Count-downs do not extend it. Choose it well above the duration of all
     *     the work
     * @return true if this call set the count; false if the latch existed already, whatever its count. Of a round: false
     *     if it was set, if a later one was, or if an earlier one is not reached
     * @throws IllegalArgumentException if count or expiry break their rule
     * @throws LockUnavailableException if Redis did not answer within the command timeout, or refuses the request
     * @throws ForeignKeyException if the latch's key holds something else
     */
    boolean trySet(int count, Duration expiry);

    /**
     * The asynchronous form of {@link #trySet}.
     *
     * @param count as for {@code trySet}
     * @param expiry as for {@code trySet}
     * @return a stage with the result, or with the exception that the blocking method throws
     * @throws IllegalArgumentException immediately, if count or expiry break their rule
     */
    CompletionStage<Boolean> trySetAsync(int count, Duration expiry);

    /**
     * Counts down by one. A latch that is reached does not change.
     *
     * @return the remaining count, 0 if the latch is reached
     * @throws LatchNotSetException if the latch is not set or has expired
     * @throws LockUnavailableException if Redis did not answer within the command timeout, or refuses the request
     * @throws ForeignKeyException if the latch's key holds something else
     */
    int countDown();

    /**
     * Counts down by one, unless a count-down with this id was counted before, by any process. So work that is
     * repeated, for example by a restarted process, counts once.
     *
     * @param id identifies the count-down within this latch: 1 to 512 bytes of UTF-8, under the rules of names
     * @return the remaining count, 0 if the latch is reached
     * @throws IllegalArgumentException if the id breaks the rule
     * @throws LatchNotSetException if the latch is not set or has expired
     * @throws LockUnavailableException if Redis did not answer within the command timeout, or refuses the request
     * @throws ForeignKeyException if the latch's key holds something else
     */
    int countDown(String id);

    /**
     * The asynchronous form of {@link #countDown()}.
     *
     * @return a stage with the result, or with the exception that the blocking method throws
     */
    CompletionStage<Integer> countDownAsync();

    /**
     * The asynchronous form of {@link #countDown(String)}.
     *
     * @param id as for {@code countDown}
     * @return a stage with the result, or with the exception that the blocking method throws
     * @throws IllegalArgumentException immediately, if the id breaks the rule
     */
    CompletionStage<Integer> countDownAsync(String id);

    /**
     * Returns the remaining count, as Redis sees it now. One round trip.
     *
     * @return the count, 0 if the latch is reached
     * @throws LatchNotSetException if the latch is not set or has expired
     * @throws LockUnavailableException if Redis did not answer within the command timeout, or refuses the request
     * @throws ForeignKeyException if the latch's key holds something else
     */
    int count();

    /**
     * The asynchronous form of {@link #count()}.
     *
     * @return a stage with the result, or with the exception that the blocking method throws
     */
    CompletionStage<Integer> countAsync();

    /**
     * Waits until the count is zero, without a time limit. At zero Redis wakes each waiting client once; a lost wake-up
     * delays a client by at most 5 s. Beyond 1,000 waiting clients, or if Redis refuses the subscription or is out of
     * memory, a client polls every second.
     *
     * @throws LatchNotSetException if the latch is not set, or expires before it is reached
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LockUnavailableException if Redis has not answered for the client's outage tolerance (10 s by default), or
     *     refuses
     * @throws ForeignKeyException if the latch's key holds something else
     */
    void await() throws InterruptedException;

    /**
     * Waits until the count is zero, for at most the given time. Three outcomes are always distinct: reached, not
     * reached in time, and unknown because Redis did not answer.
     *
     * @param wait the longest time to wait; zero checks once
     * @return true if the latch is reached; false if the count stayed above zero for the whole time
     * @throws LatchNotSetException if the latch is not set, or expires before it is reached
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LockUnavailableException if Redis did not answer at the end of the time, or refuses
     * @throws ForeignKeyException if the latch's key holds something else
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    boolean await(Duration wait) throws InterruptedException;

    /**
     * The asynchronous form of {@link #await()}. Cancelling the stage's future stops waiting. Dependent stages run on
     * the client's event executor.
     *
     * @return a stage that completes when the latch is reached, with true, or fails with the exception that {@code await}
     *     would throw
     */
    CompletionStage<Boolean> awaitAsync();

    /**
     * The asynchronous form of {@link #await(Duration)}.
     *
     * @param wait the longest time to wait
     * @return a stage with the result, or with the exception that the blocking method throws
     * @throws IllegalArgumentException immediately, if {@code wait} is negative
     */
    CompletionStage<Boolean> awaitAsync(Duration wait);
}
