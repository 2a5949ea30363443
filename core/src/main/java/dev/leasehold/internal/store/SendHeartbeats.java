package dev.leasehold.internal.store;

import dev.leasehold.internal.key.LockKey;
import java.util.List;

/** Sends the heartbeats of positions in the queues of several locks. */
public record SendHeartbeats(List<Entry> entries, long timeoutNanos) implements LockRequest<SendHeartbeats.Answer> {

    /** A position in the queue of a lock. */
    public record Entry(LockKey key, Waiter waiter) {}

    /** The outcome for one position, as the protocol names it. */
    public enum Code {
        HEAD,
        NEXT,
        STAYS,
        ASKS,
        FAILED
    }

    /**
     * The outcome for one position.
     *
     * @param leftNanos of the holder's lease, at the head of the queue; else 0
     */
    public record Result(Code code, long leftNanos) {}

    /** The outcome for each position, in the order of the request. */
    public record Answer(ServerTime now, List<Result> results) implements StoreAnswer {}

    @Override
    public LockKey key() {
        return entries.get(0).key();
    }
}
