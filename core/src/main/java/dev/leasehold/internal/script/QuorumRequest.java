package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;

/** The requests to one server of a quorum, beside those of any lock. */
public interface QuorumRequest<A extends StoreAnswer> extends StoreRequest<A> {

    /** Returns the key by which a server knows since when it has kept its data; it is the key of no lock. */
    static String marker(KeyPrefix prefix) {
        return prefix.value() + ":quorum";
    }

    /**
     * Acquires a lock on one server for a holder of its own, and asks whether that server counts.
     *
     * @param notAfter the last moment at which this server may grant it
     * @param longest the longest lease of the quorum, plus the drift of clocks
     */
    record Acquire(
            LockKey key,
            AcquisitionId id,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            String marker,
            LeaseSpan longest,
            long timeoutNanos)
            implements QuorumRequest<Acquired>, LockRequest<Acquired> {}

    /** The outcomes of {@link Acquire}, as the protocol names them. */
    enum Acquiring {
        GRANTED,
        YOUNG,
        BUSY,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        FOREIGN,
        OTHER,
        UNMARKED
    }

    /**
     * The answer to {@link Acquire}. What does not belong to the code is zero or empty.
     *
     * @param leftNanos how long the hold lasts, or that of another
     * @param token that of the hold, or the last
     * @param forgetsNanos for how long the server may have forgotten holds
     * @param detail the other longest lease, or the data under the key
     */
    record Acquired(Acquiring code, ServerTime now, long leftNanos, long token, long forgetsNanos, String detail)
            implements StoreAnswer {}

    /** Raises the last token of a lock on one server. */
    record Raise(LockKey key, long token, long timeoutNanos) implements QuorumRequest<Raised>, LockRequest<Raised> {}

    /** The outcomes of {@link Raise}, as the protocol names them. */
    enum Raising {
        RAISED,
        FOREIGN
    }

    /** The answer to {@link Raise}: the last token, or the data under the key. */
    record Raised(Raising code, ServerTime now, String detail) implements StoreAnswer {}

    /** Asks whether a server counts. */
    record Join(String marker, LeaseSpan longest, long timeoutNanos) implements QuorumRequest<Joined> {}

    /** The outcomes of {@link Join}, as the protocol names them. */
    enum Joining {
        JOINED,
        YOUNG,
        OTHER,
        FOREIGN
    }

    /** The answer to {@link Join}: for how long the server does not count, the other longest lease, or the data under the key. */
    record Joined(Joining code, ServerTime now, long leftNanos, String detail) implements StoreAnswer {}
}
