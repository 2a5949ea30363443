package dev.leasehold;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A lock that many readers or one writer may hold, across all processes that use the same Redis and key prefix.
 *
 * <p>Both sides return leases and have the methods of {@link java.util.concurrent.locks.Lock}. Each side may have its
 * own options, such as a lease time by {@code readLock().with(...)}. The write side is {@link Leasehold#lock} of the
 * same name.
 *
 * <ul>
 *   <li>Every reader has its own lease and deadline. A reader whose process dies keeps writers out until its own lease
 *       ends, and no longer. Readers of one process with the same lease time and renewal may share one hold in Redis:
 *       only the first of them sends a request, and the hold ends with the last of them.
 *   <li>While a writer waits, no new readers are admitted, so that overlapping readers cannot starve it; a client
 *       without a waiting writer may still admit its own readers for at most 50 ms. Readers that waited while a writer
 *       held the lock are admitted together when it is released, before the writers behind them. A single try, which
 *       does not wait, fails where other callers would wait.
 *   <li>All readers that hold the lock at the same time have the same {@linkplain Lease#fencingToken() token}, above that
 *       of the writer before them and below that of the next.
 *   <li>A thread that holds the write side by {@code lock()} may also lock the read side, and keeps it when it unlocks
 *       the write side. It becomes a reader, and no other writer can acquire the lock in between. {@link #downgrade}
 *       does the same with a lease. A thread that holds the write side as a
 *       {@linkplain DistributedLock#ownedBy named owner} cannot read under it.
 *   <li>A reader cannot become a writer: two readers that tried would wait for each other forever. A thread that holds the
 *       read side by {@code lock()} finds the write side busy, whichever way it asks: by {@link #writeLock},
 *       {@link Leasehold#lock}, {@link Leasehold#fairLock} or {@link Leasehold#allOf(String...)} of this name, also as a
 *       named owner. Without a time limit it would wait for itself, so the call throws {@link IllegalStateException}
 *       immediately and sends nothing; the same holds for a named owner that writes and asks to read. A lost lease holds
 *       nothing: the thread may acquire the other side, before it unlocks the one that it lost. A lease belongs to no
 *       thread: a caller that holds a lease of the read side and waits for the write side waits for itself, until its time
 *       limit. So does a thread that reads by {@code lock()} and waits for a further lease of the read side while a writer
 *       waits: it comes after the writer, and the writer after it.
 *   <li>The read side has no {@linkplain DistributedLock#ownedBy named owners}: it admits every reader anyway.
 * </ul>
 *
 * <p>{@link DistributedLock#inspect} and {@link DistributedLock#forceRelease} concern the whole lock, on whichever side
 * they are called. When Redis does not answer, both sides behave as {@link DistributedLock} specifies. Views are
 * immutable and safe for use by any thread.
 */
public interface DistributedReadWriteLock extends ReadWriteLock {

    /**
     * The name of the lock.
     *
     * @return the name as given by the caller
     */
    String name();

    /** Returns the side that many readers may hold while there is no writer. */
    @Override
    DistributedLock readLock();

    /**
     * Returns the side that one writer may hold while there are no readers: the {@linkplain Leasehold#lock lock} of
     * this name.
     */
    @Override
    DistributedLock writeLock();

    /**
     * Turns a writer into a reader; no other writer can acquire the lock in between. Waiting writers continue to wait;
     * readers that wait before them are admitted. The writer's lease is released and must not be used any longer. What is left
     * of its {@linkplain LockOptions.Builder#minHold minimum hold} keeps writers out, also after the reader's release. The reader
     * is renewed for what is left of the {@linkplain LockOptions.Builder#maxHold maximum hold}: not at all if that has passed. A
     * {@linkplain DistributedLock#requestRelease release request} to the writer reaches the reader, too.
     *
     * @param write a lease of the {@linkplain #writeLock write side} of this lock, held, and without a named owner
     * @return a lease of the read side, held, with the options of the write lease, and a fencing token above that
     *     lease's
     * @throws IllegalArgumentException if {@code write} is a lease of another lock, client or side, of a named owner, of
     *     {@linkplain Leasehold#allOf several locks}, or of a thread that called {@code lock()}
     * @throws LeaseLostException if the lease was lost or released
     * @throws LockUnavailableException if Redis did not answer within the command timeout; then neither lease is held,
     *     and the lock is released in the background
     */
    Lease downgrade(Lease write);

    /**
     * The asynchronous form of {@link #downgrade}. Invalid arguments are rejected by the call itself. If the caller
     * cancels or completes the stage itself, the lock is released in the background.
     *
     * @param write as for {@link #downgrade}
     * @return a stage with the lease of the read side, or with the exception that {@link #downgrade} throws
     * @throws IllegalArgumentException as for {@link #downgrade}
     */
    CompletionStage<Lease> downgradeAsync(Lease write);
}
