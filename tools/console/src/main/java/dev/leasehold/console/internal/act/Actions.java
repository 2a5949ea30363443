package dev.leasehold.console.internal.act;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdException;
import dev.leasehold.console.ConsoleSession;
import dev.leasehold.console.internal.view.Shown;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the holder of a lock to release it, or takes it away. Safe for use by several threads. */
public final class Actions {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.console.actions");

    private final Leasehold leasehold;

    /** What came of an action. */
    public enum Outcome {
        /** The lock was held, and the action was carried out. */
        DONE,
        /** Nobody held the lock, or not with the token that the user saw. */
        FREE,
        /** The user may not act. */
        NOT_OPEN,
        /** The name was typed differently, or a text is missing. */
        MISTYPED,
        /** The action was begun, and Redis or the lock refused it. */
        FAILED
    }

    /**
     * An outcome with its explanation.
     *
     * @param outcome what came of it
     * @param problem why it failed; empty if it did not
     */
    public record Result(Outcome outcome, String problem) {
        static Result of(Outcome outcome) {
            return new Result(outcome, "");
        }
    }

    private interface Change {
        boolean run(ActionRequest request);
    }

    public Actions(Leasehold leasehold) {
        this.leasehold = leasehold;
    }

    /** Asks the holder of a lock to release it. */
    public Result requestRelease(String body, ConsoleSession session) {
        return run(
                "ask to release",
                body,
                session,
                request -> leasehold.lock(request.name()).requestRelease());
    }

    /** Takes a lock away from its holder. */
    public Result takeAway(String body, ConsoleSession session) {
        return run("take away", body, session, request -> {
            DistributedLock lock = leasehold.lock(request.name());
            return request.token() == 0 ? lock.forceRelease() : lock.forceRelease(request.token());
        });
    }

    private static Result run(String action, String body, ConsoleSession session, Change change) {
        if (!session.mayAct()) {
            return Result.of(Outcome.NOT_OPEN);
        }
        ActionRequest request;
        try {
            request = ActionRequest.parse(body);
        } catch (IOException e) {
            return new Result(Outcome.MISTYPED, Shown.message(String.valueOf(e.getMessage())));
        }
        String shown = Shown.name(request.name());
        boolean same = request.typed().equals(request.name()) || request.typed().equals(shown);
        if (!same || request.name().isEmpty() || request.reason().isEmpty()) {
            return Result.of(Outcome.MISTYPED);
        }
        String who = session.user().isEmpty() ? "Console" : "Console, user '" + Shown.name(session.user()) + "'";
        return carryOut(who + ": " + action, request, shown, change);
    }

    /** Logs before as well: an action whose answer is lost may have been carried out. */
    private static Result carryOut(String action, ActionRequest request, String shown, Change change) {
        String reason = Shown.name(request.reason());
        LOG.warn("{} lock '{}', reason: '{}'", action, shown, reason);
        try {
            boolean held = change.run(request);
            LOG.warn("{} lock '{}': {}", action, shown, held ? "done" : "the lock was free, or has another holder");
            return Result.of(held ? Outcome.DONE : Outcome.FREE);
        } catch (LeaseholdException | UnsupportedOperationException | IllegalArgumentException e) {
            String problem = Shown.message(String.valueOf(e.getMessage()));
            LOG.warn("{} lock '{}' failed: {}", action, shown, problem);
            return new Result(Outcome.FAILED, problem);
        }
    }
}
