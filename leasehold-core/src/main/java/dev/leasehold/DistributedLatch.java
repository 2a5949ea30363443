package dev.leasehold;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A latch that is counted down by processes anywhere and waited for by others: a {@link java.util.concurrent.CountDownLatch}
 * over all that use the same Redis and key prefix.
 *
 * <p>Somebody {@linkplain #trySet sets} the count, once, with a time after which the latch goes by itself. The count only
 * falls. At zero the latch is reached, and stays so until its time is over: whoever awaits it later returns at once. A
 * latch is not a lease: nobody holds it, nothing renews it, and a process that dies counts nothing back.
 *
 * <pre>{@code
 * DistributedLatch loaded = leasehold.latch("import:2026-11-21");
 * loaded.trySet(24, Duration.ofHours(6));          // whoever comes first
 * loaded.countDown("part-" + part);                // in each worker, also in one that was started again
 * loaded.await();                                  // in whoever goes on when all parts are there
 * }</pre>
 *
 * <p>Its name is used for one round: {@code trySet} does not begin another while the latch is there, reached or not. A
 * latch and a lock of one name refuse each other's key with {@link ForeignKeyException}.
 *
 * <p><strong>A call is one call, however often it is sent.</strong> It carries an id, so that a retry after a lost answer
 * finds what the first attempt did. When Redis does not answer within the command time-out, {@link #trySet} and
 * {@link #countDown()} throw {@link LockUnavailableException}, whose {@code mayBeTaken} tells whether the call may have been
 * executed all the same; who calls {@code countDown()} again then may count twice. {@link #countDown(String)} can be
 * repeated as often as need be.
 *
 * <p>If Redis loses data, by a fail-over that has not sent everything on, count-downs may be lost with it, or the latch
 * itself. Let the work behind it check what it needs.
 *
 * <p>Views are immutable and safe for use by any thread. Every method but the asynchronous ones throws
 * {@link IllegalStateException} once the client is closed; their stages fail with it.
 */
public interface DistributedLatch {

    /** The greatest count: 100,000. Every count-down is kept in Redis until the latch goes. */
    int MAX_COUNT = 100_000;

    /**
     * The name of the latch.
     *
     * @return the name as given by the caller
     */
    String name();

    /**
     * Sets the count if there is no latch of this name. All who take part may call it: the first one sets it.
     *
     * @param count how many count-downs the latch waits for, 1 to {@link #MAX_COUNT}
     * @param expiry how long the latch is there from now on, reached or not: 50 ms to
     *     {@link LockOptions#MAX_LEASE_TIME}. It is not prolonged by count-downs. Choose it well above what all of the work
     *     takes
     * @return true if this call set it; false if it was there already, whatever its count
     * @throws IllegalArgumentException if count or expiry break their rule
     * @throws LockUnavailableException if Redis did not answer within the command time-out, or refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     */
    boolean trySet(int count, Duration expiry);

    /**
     * {@link #trySet} without a waiting thread.
     *
     * @param count as there
     * @param expiry as there
     * @return a stage with its result, or with the exception that it would throw
     * @throws IllegalArgumentException at once, if count or expiry break their rule
     */
    CompletionStage<Boolean> trySetAsync(int count, Duration expiry);

    /**
     * Counts down by one. A latch that is reached stays as it is.
     *
     * @return what is left to count, 0 if it is reached
     * @throws LatchNotSetException if nobody has set the latch, or its time is over
     * @throws LockUnavailableException if Redis did not answer within the command time-out, or refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     */
    int countDown();

    /**
     * Counts down by one, unless a count-down with this id was counted before, from whatever process. So a part of the work
     * that is done again, by a process that was started again, is counted once.
     *
     * @param id names the count-down within this latch: 1 to 512 bytes of UTF-8, under the rules of names
     * @return what is left to count, 0 if it is reached
     * @throws IllegalArgumentException if the id breaks the rule
     * @throws LatchNotSetException if nobody has set the latch, or its time is over
     * @throws LockUnavailableException if Redis did not answer within the command time-out, or refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     */
    int countDown(String id);

    /**
     * {@link #countDown()} without a waiting thread.
     *
     * @return a stage with its result, or with the exception that it would throw
     */
    CompletionStage<Integer> countDownAsync();

    /**
     * {@link #countDown(String)} without a waiting thread.
     *
     * @param id as there
     * @return a stage with its result, or with the exception that it would throw
     * @throws IllegalArgumentException at once, if the id breaks the rule
     */
    CompletionStage<Integer> countDownAsync(String id);

    /**
     * What is left to count, as Redis sees it now. One round trip.
     *
     * @return the count, 0 if the latch is reached
     * @throws LatchNotSetException if nobody has set the latch, or its time is over
     * @throws LockUnavailableException if Redis did not answer within the command time-out, or refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     */
    int count();

    /**
     * {@link #count()} without a waiting thread.
     *
     * @return a stage with its result, or with the exception that it would throw
     */
    CompletionStage<Integer> countAsync();

    /**
     * Waits until nothing is left to count, as long as it takes. At zero Redis wakes each client that waits, once; a wake-up
     * that is lost delays it by at most 5 s. Beyond 1,000 waiting clients, or where Redis refuses the subscription or is out of
     * memory, a client asks every second.
     *
     * @throws LatchNotSetException if nobody has set the latch, or its time is over before it is reached
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LockUnavailableException if Redis has not answered for the client's outage tolerance (10 s by default), or
     *     refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     */
    void await() throws InterruptedException;

    /**
     * {@link #await()} for a time. Three ends are never merged: reached, not reached in time, and not known because Redis
     * did not answer.
     *
     * @param wait how long to wait at most; zero looks once
     * @return true if the latch is reached; false if something was left to count for the whole time
     * @throws LatchNotSetException if nobody has set the latch, or its time is over before it is reached
     * @throws InterruptedException if the thread is interrupted before or while it waits
     * @throws LockUnavailableException if Redis did not answer at the end of the time, or refuses
     * @throws ForeignKeyException if something else lies under the latch's key
     * @throws IllegalArgumentException if {@code wait} is negative
     */
    boolean await(Duration wait) throws InterruptedException;

    /**
     * {@link #await()} without a waiting thread. Cancelling the stage's future gives up. Dependent stages run on the
     * client's event executor.
     *
     * @return a stage that completes when the latch is reached, with true, or fails with the exception that {@code await}
     *     would throw
     */
    CompletionStage<Boolean> awaitAsync();

    /**
     * {@link #await(Duration)} without a waiting thread.
     *
     * @param wait how long to wait at most
     * @return a stage with its result, or with the exception that it would throw
     * @throws IllegalArgumentException at once, if {@code wait} is negative
     */
    CompletionStage<Boolean> awaitAsync(Duration wait);
}
