package dev.leasehold.internal.lock;

import dev.leasehold.Lease;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.time.TimeText;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions for calls that a lock or a lease does not support, or that its caller may not make.
 */
public final class LockMessages {

    /** The caller may have asked for the format, or have called lock(name) while a pattern sets the format of its name. */
    private static final String OWN_FORMAT =
            "Use a lock in the format LockFormat.leasehold(): if lockFormat(...) sets the format of this name, another name,"
                    + " or another pattern";

    private LockMessages() {}

    public static UnsupportedOperationException noToken(LockKey key) {
        if (key.kind() == LockKind.PERMITS) {
            return new UnsupportedOperationException(
                    "a permit of " + key.inWords()
                            + " has no fencing token: several hold at once. Guard a resource by lock(...), whose leases have one");
        }
        return new UnsupportedOperationException(
                key.inWords() + " has no fencing token: its format stores none. " + OWN_FORMAT);
    }

    public static UnsupportedOperationException tokenOfOne(List<LockKey> keys) {
        return new UnsupportedOperationException("a lease of the locks " + LockKey.listed(keys)
                + " has a fencing token for each of them. Use fencingToken(name)");
    }

    public static IllegalArgumentException noSuchName(String name, List<LockKey> keys) {
        return new IllegalArgumentException("the lease does not include lock '" + Names.escape(name) + "' but "
                + LockKey.listed(keys) + ". Pass one of its names()");
    }

    public static UnsupportedOperationException notExportable(LockKey key) {
        String why = switch (key.kind()) {
            case QUORUM -> "only its holder knows the servers of its majority. Acquire the lock there";
            case READ ->
                "it is shared by the readers of its process, and other processes may read without it. Acquire the read"
                        + " side there";
            case STANDARD, PERMITS, PLAIN, REDISSON, REDISSON_FENCED ->
                "only those of lock(...), fairLock(...) and of the write side can, in the format LockFormat.leasehold()."
                        + " Use one of these, or acquire the lock there";
        };
        return new UnsupportedOperationException("a lease of " + key.inWords() + " cannot be exported: " + why);
    }

    public static UnsupportedOperationException notExportable(List<LockKey> keys) {
        return new UnsupportedOperationException("a lease of the locks " + LockKey.listed(keys)
                + " cannot be exported: each lock has a hold of its own, and a resume could succeed for some of them only."
                + " Acquire each by lock(name), and export these leases");
    }

    static IllegalStateException notExportable(LockKey key, Duration left) {
        return new IllegalStateException("the lease of " + key.inWords()
                + " cannot be exported: its maxHold has passed, so it is no longer renewed, and only "
                + TimeText.of(left)
                + " are left for another process to resume it. Extend it first, or lengthen maxHold");
    }

    static IllegalStateException endsWithUnlock(LockKey key) {
        return new IllegalStateException("the lease of " + key.inWords()
                + " belongs to a thread that called lock(), and ends with the last unlock() of that thread. Call unlock(),"
                + " or acquire the lock by acquire()");
    }

    static UnsupportedOperationException noTokens(LockKey key) {
        return new UnsupportedOperationException("the holders of " + key.inWords()
                + " have no fencing tokens by which a forced release could name them. Use forceRelease()");
    }

    static IllegalArgumentException badToken(LockKey key, long token) {
        return new IllegalArgumentException("fencing token " + token + " for a forced release of " + key.inWords()
                + " must be greater than 0. Take it from inspect(), or use forceRelease() whoever holds the lock");
    }

    public static UnsupportedOperationException noOwner(LockKey key) {
        if (key.kind() == LockKind.READ) {
            return new UnsupportedOperationException("the read side of " + key.inWords()
                    + " has no named owners: readers share it anyway. Use writeLock().ownedBy(...) to write");
        }
        if (key.kind() == LockKind.PERMITS) {
            return new UnsupportedOperationException(key.inWords()
                    + " has no named owners: each acquisition takes permits of its own. Use lock(...).ownedBy(...)");
        }
        if (key.kind() == LockKind.QUORUM) {
            return new UnsupportedOperationException(key.inWords()
                    + " has no named owners: a reentrant acquire might reach another majority with other tokens. Pass the"
                    + " lease to the code that needs it");
        }
        return new UnsupportedOperationException(
                key.inWords() + " has no named owners: its format stores one holder only. " + OWN_FORMAT);
    }

    /** Refuses to retain the holds of a lock of which no lease can follow another without a request. */
    static IllegalArgumentException noRetention(String lock, String why) {
        return new IllegalArgumentException("retainFor makes no sense for " + lock + ": " + why
                + ". Use options without retainFor, as options.toBuilder().retainFor(null).build()");
    }

    /** Refuses a minimum hold of a lock whose holds cannot outlive their leases. */
    static IllegalArgumentException noMinimum(String lock, String why) {
        return new IllegalArgumentException("minHold makes no sense for " + lock + ": " + why
                + ". Use options without minHold, as options.toBuilder().minHold(null).build()");
    }

    /** Refuses a wait for a hold that the calling thread itself has by {@code lock()}. */
    static IllegalStateException waitsForItself(LockKey key, LeaseRecord own) {
        String remedy;
        if (key.kind() == LockKind.PERMITS) {
            remedy = "Unlock them first, or lock again with the same number of permits, which is reentrant";
        } else if (own.key().kind() == LockKind.READ) {
            remedy = "Unlock the read side first, and read again what you write";
        } else if (key.kind() == LockKind.READ) {
            remedy = own.ofNamedOwner()
                    ? "The read side has no named owners: write without a name, or unlock the write side first"
                    : "Lock the read side by lock(), or unlock the write side first";
        } else {
            remedy = "Lock it again by lock() of the same owner, which is reentrant, or unlock it first";
        }
        return new IllegalStateException("thread " + shown(Thread.currentThread()) + " itself " + hasIt(key, own)
                + ", and would wait for its own unlock() for ever. " + remedy);
    }

    /** Says how the calling thread has a lock by another view of it. */
    private static String hasIt(LockKey key, LeaseRecord own) {
        String how;
        if (key.kind() == LockKind.PERMITS) {
            how = "has permits of ";
        } else if (own.key().kind() == LockKind.READ) {
            how = "reads under ";
        } else {
            how = key.kind() == LockKind.READ ? "writes under " : "holds ";
        }
        return how + key.inWords() + (own.ofNamedOwner() ? " as " + own.owner().shown() : "");
    }

    public static IllegalArgumentException noWriter(LockKey key, Lease lease, String why) {
        return new IllegalArgumentException(lease + " cannot be downgraded by read-write lock " + key.shown() + ": "
                + why + ". Pass a lease that acquire() of its writeLock() returned");
    }

    /** Refuses to unlock what another thread has locked, or nobody. */
    static IllegalMonitorStateException notOwner(LockKey key, @Nullable Thread holder) {
        String held = holder == null ? "no thread of this client holds it" : "it is held by thread " + shown(holder);
        return cannotUnlock(
                key, held + ". Unlock in the thread that locked, or use acquire(), whose lease any thread may close");
    }

    /** Refuses to unlock what the calling thread has locked by another view of the lock. */
    static IllegalMonitorStateException otherView(LockKey key, LeaseRecord own) {
        return cannotUnlock(
                key,
                "the thread " + hasIt(key, own) + ". Unlock what it has locked:"
                        + " the same side, the same owner, the same number of permits");
    }

    private static IllegalMonitorStateException cannotUnlock(LockKey key, String why) {
        return new IllegalMonitorStateException(
                "thread " + shown(Thread.currentThread()) + " cannot unlock " + key.inWords() + ": " + why);
    }

    @SuppressWarnings("deprecation") // threadId() is not in Java 17
    private static String shown(Thread thread) {
        return thread.getId() + " (" + Names.escape(thread.getName()) + ")";
    }
}
