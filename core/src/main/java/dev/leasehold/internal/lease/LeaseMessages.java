package dev.leasehold.internal.lease;

import dev.leasehold.LeaseLostException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.time.TimeText;
import java.util.List;

/**
 * The exceptions of leases that are no longer held, and the parts of messages that describe a lease.
 */
public final class LeaseMessages {

    private LeaseMessages() {}

    public static LeaseLostException lost(LockKey key, OwnerKey owner, LossEvent loss) {
        return new LeaseLostException(
                key.name(),
                loss.cause(),
                "the lease of " + key.inWords() + " (owner " + owner.shown() + token(loss.fencingToken())
                        + ") was lost after "
                        + loss.held().toMillis() + " ms: "
                        + lossReason(loss.cause())
                        + ". Another client may hold the lock: check what was done since"
                        + (key.kind().hasTokens() ? " by its fencing token" : ""));
    }

    /** The exception for a lease of several locks of which one was lost. */
    public static LeaseLostException lostAmong(List<LockKey> keys, LossEvent loss) {
        return new LeaseLostException(
                loss.lockName(),
                loss.cause(),
                "the lease of the locks " + LockKey.listed(keys) + " was lost after "
                        + loss.held().toMillis()
                        + " ms, because that of lock '" + Names.escape(loss.lockName()) + "'"
                        + token(loss.fencingToken()) + ", was: " + lossReason(loss.cause())
                        + ". Another client may hold it: check what was done since by its fencing token");
    }

    public static LeaseLostException released(LockKey key, OwnerKey owner, LossEvent event) {
        return new LeaseLostException(
                key.name(),
                event.cause(),
                "the lease of " + key.inWords() + " (owner " + owner.shown() + token(event.fencingToken())
                        + ") is no longer held: it was released");
    }

    /** Returns a line for the log. */
    static String lost(LeaseRecord record, LossEvent loss) {
        return "lost the lease of " + record.key().inWords() + " (id "
                + record.id().shown() + token(record.token()) + ") after " + TimeText.of(loss.held()) + ": "
                + lossReason(loss.cause());
    }

    /** Returns the reason of a loss, as a clause of a message. */
    static String lossReason(LossCause cause) {
        return switch (cause) {
            case EXPIRED -> "its lease time was over and no further renewal was due";
            case UNCONFIRMED -> "no renewal was confirmed before its deadline";
            case TAKEN_OVER -> "another client holds the lock";
            case DELETED -> "Redis no longer has the hold";
            case ENDED -> "it had ended in Redis before it was renewed or released";
            case THREAD_ENDED -> "the thread that locked has ended without unlocking";
            case ABANDONED -> "it became unreachable without being released";
        };
    }

    /** Returns the fencing token as an item of a list in a message; empty if the lock has no tokens. */
    public static String token(long token) {
        return token == 0 ? "" : ", fencing token " + token;
    }
}
