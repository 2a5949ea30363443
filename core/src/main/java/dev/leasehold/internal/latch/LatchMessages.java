package dev.leasehold.internal.latch;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.internal.key.LatchKey;
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

    static LatchNotSetException notSet(LatchKey latch, boolean wasThere) {
        String why = wasThere
                ? " is gone: its time was over before its count was"
                : " is not there: nobody has set it, or its time is over";
        return new LatchNotSetException(
                latch.name(),
                latch.shown() + why
                        + (latch.hasRound() ? ", or a later round was set after a gap" : "")
                        + ". Set it with trySet(count, expiry) before it is used, for longer than all of the work takes"
                        + (latch.hasRound() ? "; a round can be set once the last one that was set is reached" : ""));
    }

    static ForeignKeyException foreign(LatchKey latch, String found) {
        return new ForeignKeyException(
                latch.name(),
                found,
                "under the key of " + latch.shown() + " lies something else: " + Names.escape(found)
                        + what(found)
                        + ". It was left as it is. Use another name or key prefix, or remove that key");
    }

    private static String what(String found) {
        return switch (found) {
            case "layout 1" -> ", which is a lock";
            case "layout latch 1" -> ", which is a latch without rounds";
            case "layout latch rounds 1" -> ", which is a latch with rounds";
            default -> "";
        };
    }

    static RuntimeException unavailable(LatchKey latch, boolean maybeDone, @Nullable RuntimeException problem) {
        String done = maybeDone ? "The request may have been executed" : "The request was not executed";
        if (problem instanceof RedisErrorException error) {
            String said = "Redis refused " + latch.shown() + ": " + RequestFailures.reason(error) + ". " + done + ". "
                    + RefusalAdvice.ofScript(error);
            return ErrorReactions.of(error) == ErrorReactions.Reaction.OUT_OF_MEMORY
                    ? new RedisOutOfMemoryException(latch.name(), maybeDone, said, error)
                    : new LockUnavailableException(latch.name(), maybeDone, said, error);
        }
        return new LockUnavailableException(
                latch.name(),
                maybeDone,
                "Redis gave no answer about " + latch.shown() + ": " + RequestFailures.reason(problem) + ". " + done
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }

    static IllegalArgumentException badRound(LatchKey latch, long number, long most) {
        return new IllegalArgumentException(
                "round " + number + " of latch " + latch.key().shown() + " must lie between 0 and " + most
                        + ". Number the rounds of a latch from 0 or 1 on");
    }

    static IllegalArgumentException badCount(LatchKey latch, int count, int most) {
        return new IllegalArgumentException(
                "count " + count + " of " + latch.shown() + " must lie between 1 and " + most
                        + ": every count-down is kept in Redis until the latch expires. Count batches of the work instead");
    }

    static IllegalArgumentException badExpiry(LatchKey latch, Duration expiry, Duration least, Duration most) {
        return new IllegalArgumentException("expiry " + expiry + " of " + latch.shown() + " must lie between " + least
                + " and " + most + ". Choose a time well above what all of the work takes");
    }
}
