package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.request.DurabilityMessages;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.TooFewAcknowledged;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The exceptions with which an acquisition fails. */
final class AcquireRefusals {

    private final LockKey key;
    private final TokenFloors floors;
    private final RequestedHold hold;

    AcquireRefusals(LockKey key, TokenFloors floors, RequestedHold hold) {
        this.key = key;
        this.floors = floors;
        this.hold = hold;
    }

    /** Returns the exception for an answer after which no other try makes sense. */
    RuntimeException of(AcquireHold.Answer answer) {
        return switch (answer.code()) {
            case CLOCK -> RefusalMessages.clockBehind(key, floors.of(key).token(), answer.token(), hold.mayBeTaken());
            case EXHAUSTED -> RefusalMessages.exhausted(key, answer.token(), hold.mayBeTaken());
            case PERMITS -> RefusalMessages.permits(key, answer.token());
            case FOREIGN -> RefusalMessages.foreign(key, answer.found());
            case GRANTED, BUSY, STALE, ENDED, UNDECIDED ->
                throw new IllegalArgumentException("no refusal: " + answer.code());
        };
    }

    /** Returns the exception for a failure after which no other try makes sense; null if another does. */
    @Nullable
    RuntimeException ofFinal(RuntimeException failure) {
        TooFewAcknowledged few = TooFewAcknowledged.of(failure);
        if (few != null) {
            // There is a hold, but no caller can rely on it: it is given back.
            return DurabilityMessages.tooFewReplicas(key, few);
        }
        return failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY
                ? RefusalMessages.refused(key, error, hold.mayBeTaken())
                : null;
    }

    /** Returns the exception for the latest failure when the time is over, after a silence of Redis. */
    RuntimeException ofLast(RuntimeException failure, Duration silence) {
        if (failure instanceof RedisErrorException error) {
            return RefusalMessages.refused(key, error, hold.mayBeTaken());
        }
        return failure instanceof TransportException
                ? RefusalMessages.noAnswer(
                        key,
                        hold.mayBeTaken(),
                        failure,
                        silence,
                        hold.record().options().durability())
                : failure;
    }
}
