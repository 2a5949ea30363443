package dev.leasehold.internal.inspection;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.request.CallSender;
import dev.leasehold.internal.request.Exchange;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.script.ChangePermitsScript;
import dev.leasehold.internal.script.ForceReleaseScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.LatchScripts;
import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads a lock or a latch, or takes a lock away: one request on the caller's thread, no state. */
public final class Inspection {

    private final RequestContext context;
    private final CallSender calls;

    public Inspection(RequestContext context, CallSender calls) {
        this.context = context;
        this.calls = calls;
    }

    /** Returns the holder of a lock. */
    public Optional<LockInfo> of(LockKey key) {
        return switch (key.kind()) {
            case STANDARD, READ, PERMITS, QUORUM -> HoldTable.of(key, read(key)).info();
            case PLAIN -> plain(key);
        };
    }

    private Optional<LockInfo> plain(LockKey key) {
        ScriptCall call = PlainScripts.inspect(key, context.commandNanos());
        PlainScripts.Inspected answer = PlainScripts.inspected(call(key, call));
        return switch (answer.code()) {
            case HELD -> Optional.of(PlainHolder.of(answer.detail()).info(key, answer.leftNanos()));
            case FREE -> Optional.empty();
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.detail());
        };
    }

    /** Returns the holder of a lock; empty also if the key holds something other than a lock of Leasehold. */
    public Optional<LockInfo> findOrSkip(LockKey key) {
        ScriptCall call = InspectScript.call(key, context.commandNanos());
        InspectScript.Answer answer = InspectScript.parse(call(key, call));
        return switch (answer.code()) {
            case LOCK -> HoldTable.of(key, answer).info();
            case FOREIGN -> Optional.empty();
        };
    }

    /** Returns the state of a latch; empty if there is none, whatever else the key holds. */
    public Optional<LatchInfo> latch(LockKey key) {
        ScriptCall call = LatchScripts.look(key, Waiter.NONE, context.commandNanos());
        LatchScripts.LookAnswer answer = LatchScripts.parseLook(call(key, call));
        return switch (answer.code()) {
            case COUNTING ->
                Optional.of(new LatchInfo(key.name(), answer.count(), Duration.ofNanos(answer.leftNanos())));
            case REACHED -> Optional.of(new LatchInfo(key.name(), 0, null));
            case NONE, FOREIGN -> Optional.empty();
        };
    }

    public int liveHolds(LockKey key, OwnerKey owner) {
        HoldTable table = HoldTable.of(key, read(key));
        return table.ownedBy(owner) ? table.live() : 0;
    }

    public boolean forceRelease(LockKey key) {
        ScriptCall call = context.scripts().of(key.kind()).forceRelease(key, context.commandNanos());
        ForceReleaseScript.Answer answer = ForceReleaseScript.parse(call(key, call));
        return switch (answer.code()) {
            case FREED -> true;
            case FREE -> false;
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.detail());
        };
    }

    public int availablePermits(PermitKey key) {
        HoldTable table = HoldTable.of(key, read(key));
        int says = table.permits();
        if (says > 0 && says != key.total() && !table.permitsChanged()) {
            throw RefusalMessages.permits(key, says);
        }
        int all = says > 0 ? says : key.total();
        return table.held() && !table.heldAsPermits() ? 0 : Math.max(0, all - table.permitsHeld());
    }

    public int changePermits(PermitKey key, int permits) {
        ScriptCall call = context.scripts().changePermits().call(key, permits, context.commandNanos());
        ChangePermitsScript.Answer answer = ChangePermitsScript.parse(call(key, call));
        return switch (answer.code()) {
            case CHANGED -> answer.before();
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
        };
    }

    private InspectScript.Answer read(LockKey key) {
        ScriptCall call = InspectScript.call(key, context.commandNanos());
        InspectScript.Answer answer = InspectScript.parse(call(key, call));
        return switch (answer.code()) {
            case LOCK -> answer;
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
        };
    }

    private List<String> call(LockKey key, ScriptCall call) {
        Exchange exchange = calls.run(call, context.now(), true);
        List<String> reply = exchange.reply();
        if (reply != null) {
            return reply;
        }
        throw unavailable(key, exchange.problem());
    }

    /** The exception for a request that got no answer, or an error. */
    public static RuntimeException unavailable(LockKey key, RuntimeException problem) {
        if (problem instanceof RedisErrorException error) {
            return RefusalMessages.refused(key, error, false);
        }
        return new LockUnavailableException(
                key.name(),
                false,
                "Redis gave no answer about lock " + key.shown() + ": " + RequestFailures.reason(problem)
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }
}
