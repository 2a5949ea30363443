package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.PermitsMismatchException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions for a request that Redis or a script refused, or that Redis did not answer. Each message names the lock, the
 * reason and the remedy.
 */
public final class RefusalMessages {

    private RefusalMessages() {}

    public static LockUnavailableException noAnswer(LockKey key, boolean mayBeTaken, @Nullable Throwable cause) {
        return noAnswer(key, mayBeTaken, cause, Duration.ZERO, Durability.none());
    }

    /**
     * The exception for an acquisition that Redis did not answer.
     *
     * @param silence for how long, if it was more than one request
     * @param durability what the requests waited for, too
     */
    public static LockUnavailableException noAnswer(
            LockKey key, boolean mayBeTaken, @Nullable Throwable cause, Duration silence, Durability durability) {
        String whole = silence.isZero() ? ": " : " in " + TimeText.of(silence) + "; its last request: ";
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                "Redis gave no answer for " + key.inWords() + whole + RequestFailures.reason(cause) + ". "
                        + (mayBeTaken
                                ? "It may have been acquired; if so it is released in the background"
                                : "It was not acquired")
                        + ". Check that Redis is up and reachable, "
                        + (durability.enabled()
                                ? "and so are the replicas for which " + DurabilityMessages.option(durability)
                                        + " waits, "
                                : "")
                        + "and try again",
                cause);
    }

    public static RuntimeException refused(LockKey key, RedisErrorException error, boolean openRequests) {
        boolean mayBeTaken = openRequests || RequestFailures.maybeExecuted(error);
        String said = "Redis refused " + key.inWords() + ": " + RefusalAdvice.explain(error);
        return switch (ErrorReactions.of(error)) {
            case OUT_OF_MEMORY -> new RedisOutOfMemoryException(key.name(), mayBeTaken, said, error);
            case NOT_PERMITTED, REFUSED -> new LockUnavailableException(key.name(), mayBeTaken, said, error);
            case RETRY -> noAnswer(key, mayBeTaken, error);
        };
    }

    public static ForeignKeyException foreign(LockKey key, String found) {
        return new ForeignKeyException(
                key.name(),
                found,
                "the key of " + key.inWords() + " holds data that is not of this lock: " + Names.escape(found)
                        + ". It was not changed. " + remedy(found));
    }

    private static String remedy(String found) {
        if (found.startsWith("a Redisson lock")) {
            return "To share it with Redisson, use lock(name, Formats.redisson()), else another name";
        }
        if (found.startsWith("a string that does not look like a lock")) {
            return "If it is one, use lock(name, Formats.plainAnyValue()), or the format plain-any-value, or delete the key";
        }
        return "Use another name or key prefix, or remove that key"
                + (found.startsWith("layout") ? " when no client of that version is running" : "");
    }

    public static LockUnavailableException clockBehind(LockKey key, long floor, long last, boolean mayBeTaken) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                key.inWords() + " is refused: this client has seen fencing token " + floor
                        + ", but Redis knows only " + last + ", and its clock is behind, too, so a new token could "
                        + "be lower than one in use. Correct the clock of the Redis server",
                null);
    }

    public static LockUnavailableException exhausted(LockKey key, long last, boolean mayBeTaken) {
        return new LockUnavailableException(
                key.name(),
                mayBeTaken,
                key.inWords() + " is refused: its last fencing token " + last
                        + " is the greatest below 2^53. Leasehold did not write it: remove the key",
                null);
    }

    /** The exception for a semaphore whose number of permits is not the caller's. */
    public static PermitsMismatchException permits(LockKey key, long total) {
        PermitKey requested = (PermitKey) key;
        String problem = requested.wanted() > total
                ? "has " + total + " permits, of which " + requested.wanted() + " cannot be taken at once. Take fewer"
                : "has " + total + " permits, not " + requested.total()
                        + ": its first client set that number. Pass the same number";
        return new PermitsMismatchException(
                key.name(),
                Math.toIntExact(total),
                key.inWords() + " " + problem + ", or change it for all clients by changePermits(...)");
    }
}
