package dev.leasehold.internal.lease;

import dev.leasehold.Durability;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.PermitsMismatchException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.TooFewAcknowledged;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the engine tells its callers: each message names the lock, the reason, and what the reader can do next. */
public final class LockMessages {

    private static final int MOST_SHOWN = 10;

    private LockMessages() {}

    public static LockNotAcquiredException busy(LockKey key, Duration waited, int tries) {
        return new LockNotAcquiredException(
                key.name(),
                "lock " + key.shown() + " was held by others for all of " + waited.toMillis() + " ms and " + tries
                        + " tries. Wait longer, try again later, or look at its holder with inspect()");
    }

    /** One of several locks that were to be taken together was not to be had. */
    public static LockNotAcquiredException busyAmong(
            List<LockKey> keys, LockKey busy, Duration waited, boolean unasked) {
        return new LockNotAcquiredException(
                busy.name(),
                "locks " + shown(keys) + " were not acquired within " + waited.toMillis() + " ms: "
                        + (unasked
                                ? "the time was over before lock " + busy.shown() + " could be asked for"
                                : "lock " + busy.shown() + " was held by others")
                        + ". Nothing stays held. Wait longer, try again later, or look at its holder"
                        + " with lock(...).inspect()");
    }

    /** One try for several locks took too long before it came to this one. */
    public static LockUnavailableException outOfTime(LockKey key) {
        return new LockUnavailableException(
                key.name(),
                false,
                "the command time-out was over before lock " + key.shown()
                        + " was asked for: Redis took it for the locks"
                        + " before. Nothing stays held. Raise commandTimeout(...), or give a time to wait",
                null);
    }

    /** Names in a list; some of them if there are many. */
    public static String shown(List<LockKey> keys) {
        String some = keys.stream().limit(MOST_SHOWN).map(LockKey::shown).collect(Collectors.joining(", "));
        return keys.size() > MOST_SHOWN ? some + " and " + (keys.size() - MOST_SHOWN) + " more" : some;
    }

    public static UnsupportedOperationException tokenOfOne(List<LockKey> keys) {
        return new UnsupportedOperationException("a lease of the locks " + shown(keys)
                + " has a fencing token for each of them. Use fencingToken(name)");
    }

    public static IllegalArgumentException noSuchName(String name, List<LockKey> keys) {
        return new IllegalArgumentException("the lease is of no lock '" + Names.escape(name) + "' but of " + shown(keys)
                + ". Give one of its names()");
    }

    public static LockUnavailableException noAnswer(LockKey key, boolean mayBeTaken, @Nullable Throwable cause) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "Redis gave no answer for lock " + key.shown() + ": " + reason(cause) + ". "
                        + (mayBeTaken
                                ? "It may have been taken; if so it is given back in the background"
                                : "It was not taken")
                        + ". Check that Redis is up and reachable, and try again",
                cause);
    }

    private static String option(Durability durability) {
        return (durability.onDisk() ? "onDisk(" : "replicas(") + durability.replicas() + ", " + durability.within()
                + ")";
    }

    public static IllegalArgumentException cannotWait(Durability durability) {
        String what = durability.onDisk() ? "disks" : "replicas";
        return new IllegalArgumentException(option(durability)
                + " is refused: the adapter to the Redis client cannot wait for " + what
                + " on a connection of its own, or there are no scripts (Scripts.NONE) to wait behind. Use an adapter that can,"
                + " such as leasehold-lettuce, with scripts, or leave "
                + (durability.onDisk() ? "onDisk" : what) + " out");
    }

    public static IllegalArgumentException noDisks(Durability durability, String version) {
        return new IllegalArgumentException(
                option(durability) + " is refused: the server has no WAITAOF, which Redis and"
                        + " Valkey know from 7.2 on; its version is "
                        + (version.isEmpty() ? "not known" : Names.escape(version))
                        + ". Use a later one, or replicas(...), which waits until replicas have received the lock, or leave onDisk"
                        + " out");
    }

    public static TooFewReplicasException tooFewReplicas(LockKey key, TooFewAcknowledged few) {
        return new TooFewReplicasException(
                key.name(),
                few.wanted,
                few.acknowledged,
                "lock " + key.shown() + " was not acquired: " + few.getMessage() + ". It is given back. " + remedy(few),
                few.getCause());
    }

    private static String remedy(TooFewAcknowledged few) {
        if (few.onDisk) {
            return few.acknowledged < 0
                    ? "Leave onDisk(...) out on a server that does not run WAITAOF, or allow it (+waitaof) and set"
                            + " appendonly yes"
                    : "Check appendfsync, the disks, the replicas and the network to them, or allow more time";
        }
        return few.acknowledged < 0
                ? "Leave replicas(...) out on a server that does not run WAIT, or allow it (+wait)"
                : "Check the replicas and the network to them, or allow more time";
    }

    public static RuntimeException refused(LockKey key, RedisErrorException error, boolean openRequests) {
        boolean mayBeTaken = openRequests || RequestFailures.maybeExecuted(error);
        String said = "Redis refused lock " + key.shown() + ": " + reason(error) + ". ";
        return switch (ErrorReactions.of(error)) {
            case OUT_OF_MEMORY ->
                new RedisOutOfMemoryException(
                        key.name(),
                        mayBeTaken,
                        said + "Redis is out of memory: raise maxmemory, or remove data",
                        error);
            case NOT_PERMITTED ->
                new LockUnavailableException(
                        key.name(),
                        mayBeTaken,
                        said + "Give the user the commands and the key pattern that docs/operations.md lists"
                                + withoutScripts(error),
                        error);
            case RETRY -> noAnswer(key, mayBeTaken, error);
            case REFUSED ->
                new LockUnavailableException(
                        key.name(), mayBeTaken, said + "Look into the log of Redis" + withoutScripts(error), error);
        };
    }

    /** Where EVAL is denied to the user, or not known at all. */
    private static String withoutScripts(RedisErrorException error) {
        String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("'eval") || text.contains("`eval")
                ? ". Where scripts must stay forbidden, Leasehold.builder().scripts(Scripts.NONE) has plain locks without them"
                : "";
    }

    public static ForeignKeyException foreign(LockKey key, String found) {
        return new ForeignKeyException(
                key.name(),
                found,
                "under the key of lock " + key.shown() + " lies something else: " + Names.escape(found)
                        + ". It was left as it is. Use another name or key prefix, or remove that key"
                        + (found.startsWith("layout") ? " once no client of that version is left" : ""));
    }

    public static LockUnavailableException clockBehind(LockKey key, long floor, long last, boolean mayBeTaken) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "lock " + key.shown() + " is refused: this client has seen fencing token " + floor
                        + ", but Redis knows only " + last + " and its clock is behind as well, so a new token could "
                        + "be older than one in use. Set the clock of the Redis server right",
                null);
    }

    public static UnsupportedOperationException notExportable(LockKey key) {
        if (key.kind() == LockKind.QUORUM) {
            return new UnsupportedOperationException("a lease of quorum lock " + key.shown()
                    + " cannot be exported: which servers count for it, only its holder knows. Acquire it anew there");
        }
        String why = key.kind() == LockKind.READ
                ? "it is shared by the readers of its process, and other processes may read without it. Acquire the read"
                        + " side there"
                : "only leases of lock(...), fairLock(...) and of the write side have a fencing token by which the"
                        + " resource refuses the former holder. Use one of these, or acquire it anew there";
        return new UnsupportedOperationException("a lease of lock " + key.shown() + " cannot be exported: " + why);
    }

    public static UnsupportedOperationException notExportable(List<LockKey> keys) {
        return new UnsupportedOperationException("a lease of the locks " + shown(keys)
                + " cannot be exported: they are as many holds, and could be taken over in part. Acquire each by"
                + " lock(name), and export these leases");
    }

    /** The hold that was exported is not there any more. */
    public static LeaseNotResumableException notResumable(LockKey key, String why) {
        String found = switch (why) {
            case "ended" -> "it has ended without being renewed";
            case "taken" -> "another has the lock";
            default -> "nobody has the lock";
        };
        return new LeaseNotResumableException(
                key.name(),
                "the exported lease of lock " + key.shown() + " is not there any more: " + found
                        + ". It was resumed already, or it was released, ended or taken away. Acquire the lock again");
    }

    public static LeaseNotResumableException severalHolds(LockKey key, OwnerKey owner, String others) {
        return new LeaseNotResumableException(
                key.name(),
                "the exported lease of lock " + key.shown() + " cannot be resumed: its owner " + owner.shown() + " has "
                        + others + " other holds with the same fencing token, which a new token would put out of date."
                        + " Enter again with ownedBy(...), which shares the token, or release the others first");
    }

    public static LockUnavailableException notResumed(LockKey key, boolean mayBeTaken, @Nullable Throwable cause) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "Redis gave no answer to the resume of lock " + key.shown() + ": " + reason(cause) + ". "
                        + (mayBeTaken
                                ? "The lease may have been taken over; if so it is given back in the background, and cannot"
                                        + " be resumed again: acquire the lock"
                                : "The lease was not taken over. Check that Redis is up and reachable, and try again"),
                cause);
    }

    public static UnsupportedOperationException noRequests(LockKey key) {
        if (key.kind() == LockKind.QUORUM) {
            return new UnsupportedOperationException("nobody can be asked to release quorum lock " + key.shown()
                    + ": its servers have no common token by which they know of whom it is asked. Use forceRelease()");
        }
        return new UnsupportedOperationException("nobody can be asked to release plain lock " + key.shown()
                + ": its key has no room for a request. Use lock(...), or forceRelease()");
    }

    public static LockUnavailableException notDowngraded(LockKey key, RuntimeException failure) {
        if (failure instanceof LockUnavailableException told) {
            return told;
        }
        return new LockUnavailableException(
                key.name(),
                true,
                "Redis did not confirm that the writer of lock " + key.shown() + " is a reader now: " + reason(failure)
                        + ". Neither lease is held, and the lock is given back in the background: acquire it again",
                failure);
    }

    public static LockUnavailableException exhausted(LockKey key, long last, boolean mayBeTaken) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "lock " + key.shown() + " is refused: its last fencing token " + last
                        + " is the greatest below 2^53. Somebody wrote it by hand: remove the key",
                null);
    }

    public static LockUnavailableException tooLate(LockKey key) {
        return new LockUnavailableException(
                key.name(),
                true,
                "Redis granted lock " + key.shown() + ", but the answer came when the lease was over already. It is "
                        + "given back. Use a longer lease, or look for what delays the network or this process",
                null);
    }

    public static LeaseLostException lost(LockKey key, OwnerKey owner, LossEvent loss) {
        return new LeaseLostException(
                key.name(),
                loss.cause(),
                "the lease of lock " + key.shown() + " (owner " + owner.shown() + token(loss.fencingToken())
                        + ") was lost after "
                        + loss.held().toMillis() + " ms: "
                        + lossReason(loss.cause())
                        + ". Another may hold the lock: check what was done since"
                        + (key.kind().hasTokens() ? " by its fencing token" : ""));
    }

    /** One of several locks that were taken together was lost. */
    public static LeaseLostException lostAmong(List<LockKey> keys, LossEvent loss) {
        return new LeaseLostException(
                loss.lockName(),
                loss.cause(),
                "the lease of the locks " + shown(keys) + " was lost after "
                        + loss.held().toMillis()
                        + " ms, because that of lock '" + Names.escape(loss.lockName()) + "'"
                        + token(loss.fencingToken()) + ", was: " + lossReason(loss.cause())
                        + ". Another may hold it: check what was done since by its fencing token");
    }

    /** What belongs to a token in a list; nothing if there is none. */
    public static String token(long token) {
        return token == 0 ? "" : ", fencing token " + token;
    }

    public static UnsupportedOperationException noToken(LockKey key) {
        if (key.kind() == LockKind.PERMITS) {
            return new UnsupportedOperationException(
                    "a permit of semaphore " + key.shown()
                            + " has no fencing token: several hold at once. Guard a resource by lock(...), whose leases have one");
        }
        return new UnsupportedOperationException("plain lock " + key.shown()
                + " has no fencing token: its key has no room for one. Use lock(...), whose leases have one");
    }

    public static UnsupportedOperationException noOwner(LockKey key) {
        if (key.kind() == LockKind.READ) {
            return new UnsupportedOperationException("the read side of lock " + key.shown()
                    + " has no named owners: whoever reads enters anyway. Use writeLock().ownedBy(...) to write");
        }
        if (key.kind() == LockKind.PERMITS) {
            return new UnsupportedOperationException("semaphore " + key.shown()
                    + " has no named owners: each acquisition takes permits of its own. Use lock(...).ownedBy(...)");
        }
        if (key.kind() == LockKind.QUORUM) {
            return new UnsupportedOperationException("quorum lock " + key.shown()
                    + " has no named owners: who enters again may meet another majority, with other tokens. Pass the lease"
                    + " on instead");
        }
        return new UnsupportedOperationException("plain lock " + key.shown()
                + " has no named owners: its key has room for one holder only. Use lock(...).ownedBy(...)");
    }

    /** The semaphore has so many permits, which is not what the caller counts on. */
    public static PermitsMismatchException permits(LockKey key, long total) {
        PermitKey asked = (PermitKey) key;
        String problem = asked.wanted() > total
                ? "has " + total + " permits, of which " + asked.wanted() + " cannot be taken at once. Take fewer"
                : "has " + total + " permits, not " + asked.total()
                        + ": so the first who used it has said. Say the same";
        return new PermitsMismatchException(
                key.name(),
                Math.toIntExact(total),
                "semaphore " + key.shown() + " " + problem + ", or change their number for all by changePermits(...)");
    }

    public static IllegalStateException noUpgrade(LockKey key) {
        return new IllegalStateException("thread " + shown(Thread.currentThread()) + " reads under lock " + key.shown()
                + " and cannot become its writer: two who did so would wait for each other for ever. Unlock the read side"
                + " first, and read again what you write");
    }

    public static IllegalArgumentException noWriter(LockKey key, Lease lease, String why) {
        return new IllegalArgumentException(lease + " cannot be downgraded by read-write lock " + key.shown() + ": "
                + why + ". Give a lease that acquire() of its writeLock() returned");
    }

    public static IllegalMonitorStateException notOwner(LockKey key, Thread caller, @Nullable Thread holder) {
        String held = holder == null ? "no thread of this client holds it" : "it is held by thread " + shown(holder);
        return new IllegalMonitorStateException("thread " + shown(caller) + " cannot unlock lock " + key.shown() + ": "
                + held + ". Unlock in the thread that locked, or use acquire(), whose lease any thread may close");
    }

    @SuppressWarnings("deprecation") // threadId() is not in Java 17
    private static String shown(Thread thread) {
        return thread.getId() + " (" + Names.escape(thread.getName()) + ")";
    }

    public static LeaseLostException released(LockKey key, OwnerKey owner, LossEvent event) {
        return new LeaseLostException(
                key.name(),
                event.cause(),
                "the lease of lock " + key.shown() + " (owner " + owner.shown() + token(event.fencingToken())
                        + ") is not held any more: it was released");
    }

    public static String lossReason(LossCause cause) {
        return switch (cause) {
            case EXPIRED -> "its time was over and no further renewal was due";
            case UNCONFIRMED -> "no renewal was confirmed before its deadline";
            case TAKEN_OVER -> "another holds the lock";
            case DELETED -> "Redis does not know the hold any more";
            case ENDED -> "it had ended in Redis before it was renewed or released";
            case THREAD_ENDED -> "the thread that locked has ended without unlocking";
            case ABANDONED -> "nobody refers to it any more, and it was not released";
        };
    }

    public static String reason(@Nullable Throwable cause) {
        if (cause == null) {
            return "silence";
        }
        return Names.escape(
                cause instanceof RedisErrorException error
                        ? ErrorReactions.said(error)
                        : String.valueOf(cause.getMessage()));
    }
}
