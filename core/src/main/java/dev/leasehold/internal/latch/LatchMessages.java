package dev.leasehold.internal.latch;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Error messages about latches: each names the latch, the reason, and what the reader can do next. */
final class LatchMessages {

    private LatchMessages() {}

    static LatchNotSetException notSet(LockKey key, boolean wasThere) {
        String why = wasThere
                ? " is gone: its time was over before its count was"
                : " is not there: nobody has set it, or its time is over";
        return new LatchNotSetException(
                key.name(),
                "latch " + key.shown() + why + ". Set it with trySet(count, expiry) before it is used, for longer than "
                        + "all of the work takes");
    }

    static ForeignKeyException foreign(LockKey key, String found) {
        return new ForeignKeyException(
                key.name(),
                found,
                "under the key of latch " + key.shown() + " lies something else: " + Names.escape(found)
                        + (found.equals("layout 1") ? ", which is a lock" : "")
                        + ". It was left as it is. Use another name or key prefix, or remove that key");
    }

    static RuntimeException unavailable(LockKey key, boolean maybeDone, @Nullable RuntimeException problem) {
        String done = maybeDone ? "The request may have been executed" : "The request was not executed";
        if (problem instanceof RedisErrorException error) {
            String said = "Redis refused latch " + key.shown() + ": " + RequestFailures.reason(error) + ". " + done
                    + ". " + RefusalAdvice.ofScript(error);
            return ErrorReactions.of(error) == ErrorReactions.Reaction.OUT_OF_MEMORY
                    ? new RedisOutOfMemoryException(key.name(), maybeDone, said, error)
                    : new LockUnavailableException(key.name(), maybeDone, said, error);
        }
        return new LockUnavailableException(
                key.name(),
                maybeDone,
                "Redis gave no answer about latch " + key.shown() + ": " + RequestFailures.reason(problem) + ". " + done
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }

    static IllegalArgumentException badCount(LockKey key, int count, int most) {
        return new IllegalArgumentException(
                "count " + count + " of latch " + key.shown() + " must lie between 1 and " + most
                        + ": every count-down is kept in Redis until the latch expires. Count batches of the work instead");
    }

    static IllegalArgumentException badExpiry(LockKey key, Duration expiry, Duration least, Duration most) {
        return new IllegalArgumentException("expiry " + expiry + " of latch " + key.shown() + " must lie between "
                + least + " and " + most + ". Choose a time well above what all of the work takes");
    }
}
