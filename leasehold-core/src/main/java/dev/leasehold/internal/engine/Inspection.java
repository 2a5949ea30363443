package dev.leasehold.internal.engine;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LatchInfo;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
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

    private Inspection() {}

    /** Who holds the lock now. */
    public static Optional<LockInfo> of(Engine engine, LockKey key) {
        return switch (key.kind()) {
            case STANDARD, READ, PERMITS, QUORUM ->
                HoldTable.of(key, read(engine, key)).info();
            case PLAIN -> plain(engine, key);
        };
    }

    private static Optional<LockInfo> plain(Engine engine, LockKey key) {
        ScriptCall call = PlainScripts.inspect(key, engine.parts.limits().commandNanos());
        PlainScripts.Inspected answer = PlainScripts.inspected(call(engine, key, call));
        return switch (answer.code()) {
            case HELD -> Optional.of(PlainHolder.of(answer.detail()).info(key, answer.leftNanos()));
            case FREE -> Optional.empty();
            case FOREIGN -> throw LockMessages.foreign(key, answer.detail());
        };
    }

    /** The same, but what is no lock of ours is passed over. */
    public static Optional<LockInfo> findOrSkip(Engine engine, LockKey key) {
        ScriptCall call = InspectScript.call(key, engine.parts.limits().commandNanos());
        InspectScript.Answer answer = InspectScript.parse(call(engine, key, call));
        return switch (answer.code()) {
            case LOCK -> HoldTable.of(key, answer).info();
            case FOREIGN -> Optional.empty();
        };
    }

    /** What is left of a latch; empty if there is none, whatever else lies there. */
    public static Optional<LatchInfo> latch(Engine engine, LockKey key) {
        ScriptCall call =
                LatchScripts.look(key, Waiter.NONE, engine.parts.limits().commandNanos());
        LatchScripts.LookAnswer answer = LatchScripts.parseLook(call(engine, key, call));
        return switch (answer.code()) {
            case COUNTING ->
                Optional.of(new LatchInfo(key.name(), answer.count(), Duration.ofNanos(answer.leftNanos())));
            case REACHED -> Optional.of(new LatchInfo(key.name(), 0, null));
            case NONE, FOREIGN -> Optional.empty();
        };
    }

    static int liveHolds(Engine engine, LockKey key, OwnerKey owner) {
        HoldTable table = HoldTable.of(key, read(engine, key));
        return table.ownedBy(owner) ? table.live() : 0;
    }

    static boolean forceRelease(Engine engine, LockKey key) {
        ScriptCall call = engine.scripts(key.kind())
                .forceRelease(key, engine.parts.limits().commandNanos());
        ForceReleaseScript.Answer answer = ForceReleaseScript.parse(call(engine, key, call));
        return switch (answer.code()) {
            case FREED -> true;
            case FREE -> false;
            case FOREIGN -> throw LockMessages.foreign(key, answer.detail());
        };
    }

    static int availablePermits(Engine engine, PermitKey key) {
        HoldTable table = HoldTable.of(key, read(engine, key));
        int says = table.permits();
        if (says > 0 && says != key.total() && !table.permitsChanged()) {
            throw LockMessages.permits(key, says);
        }
        int all = says > 0 ? says : key.total();
        return table.held() && !table.heldAsPermits() ? 0 : Math.max(0, all - table.permitsHeld());
    }

    static int changePermits(Engine engine, PermitKey key, int permits) {
        ScriptCall call =
                engine.changePermits.call(key, permits, engine.parts.limits().commandNanos());
        ChangePermitsScript.Answer answer = ChangePermitsScript.parse(call(engine, key, call));
        return switch (answer.code()) {
            case CHANGED -> answer.before();
            case FOREIGN -> throw LockMessages.foreign(key, answer.found());
        };
    }

    private static InspectScript.Answer read(Engine engine, LockKey key) {
        ScriptCall call = InspectScript.call(key, engine.parts.limits().commandNanos());
        InspectScript.Answer answer = InspectScript.parse(call(engine, key, call));
        return switch (answer.code()) {
            case LOCK -> answer;
            case FOREIGN -> throw LockMessages.foreign(key, answer.found());
        };
    }

    private static List<String> call(Engine engine, LockKey key, ScriptCall call) {
        Exchange exchange = Exchange.run(engine, call, engine.time.nanoTime(), true);
        List<String> reply = exchange.reply();
        if (reply != null) {
            return reply;
        }
        throw unavailable(key, exchange.problem());
    }

    /** What is thrown when there was no answer, or an error. */
    static RuntimeException unavailable(LockKey key, RuntimeException problem) {
        if (problem instanceof RedisErrorException error) {
            return LockMessages.refused(key, error, false);
        }
        return new LockUnavailableException(
                key.name(),
                false,
                "Redis gave no answer about lock " + key.shown() + ": " + LockMessages.reason(problem)
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }
}
