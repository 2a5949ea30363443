package dev.leasehold.micrometer;

import dev.leasehold.ForeignKeyException;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.PermitsMismatchException;
import dev.leasehold.RedisOutOfMemoryException;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.WaitOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The two observations of one acquisition, of one lock or several, and its lease. The client never calls it
 * concurrently.
 */
final class ObservedLock implements LockTrace {

    private final ObservationRegistry registry;
    private final @Nullable String lockName;
    private final int locks;
    private final @Nullable Observation current;
    private final TraceParent context;
    private final Observation acquisition;
    private @Nullable Observation holding;

    private ObservedLock(ObservationRegistry registry, @Nullable String lockName, int locks) {
        this.registry = registry;
        this.lockName = lockName;
        this.locks = locks;
        this.current = registry.getCurrentObservation();
        this.context = new TraceParent();
        this.acquisition =
                named(Observation.createNotStarted("leasehold.acquisition", () -> context, registry), "acquire");
    }

    static ObservedLock begin(ObservationRegistry registry, @Nullable String lockName, int locks) {
        ObservedLock lock = new ObservedLock(registry, lockName, locks);
        Observation unused = lock.acquisition.start();
        return lock;
    }

    private Observation named(Observation observation, String verb) {
        observation.contextualName(verb + (locks == 1 ? " lock" : " locks"));
        if (locks > 1) {
            observation.highCardinalityKeyValue("locks", Integer.toString(locks));
        }
        return lockName == null ? observation : observation.highCardinalityKeyValue("lock", lockName);
    }

    @Override
    public @Nullable String label() {
        return context.traceId();
    }

    @Override
    public void acquired(AcquiredEvent event) {
        acquisition.lowCardinalityKeyValue("outcome", "acquired").stop();
        Observation started = named(Observation.createNotStarted("leasehold.holding", registry), "hold")
                .parentObservation(current == null ? acquisition : current);
        if (event.fencingToken() > 0) {
            started.highCardinalityKeyValue("token", Long.toString(event.fencingToken()));
        }
        holding = started.start();
    }

    @Override
    public void notAcquired(WaitOutcome outcome, @Nullable RuntimeException failure) {
        acquisition.lowCardinalityKeyValue("outcome", text(outcome));
        if (failure != null) {
            acquisition.error(lockName == null ? withoutName(failure) : failure);
        }
        acquisition.stop();
    }

    @Override
    public void released(ReleasedEvent event) {
        end("released", "none", null);
    }

    @Override
    public void exported(ExportedEvent event) {
        end("exported", "none", null);
    }

    @Override
    public void lost(LossEvent event) {
        end("lost", text(event.cause()), error(event));
    }

    private void end(String outcome, String cause, @Nullable Throwable error) {
        Observation ended = holding;
        if (ended == null) {
            return;
        }
        ended.lowCardinalityKeyValue("outcome", outcome).lowCardinalityKeyValue("cause", cause);
        if (error != null) {
            ended.error(error);
        }
        ended.stop();
    }

    /** Returns the error of a loss. Its message has the lock's name only if the observations have it. */
    private LeaseLostException error(LossEvent event) {
        return new LeaseLostException(
                lockName == null ? "" : lockName,
                event.cause(),
                "the lease of " + (lockName == null ? "a lock" : "lock " + lockName) + " is lost: "
                        + text(event.cause()));
    }

    /**
     * Returns a failure of the same class and stack trace, without message and causes, which name the lock or its key.
     */
    private static RuntimeException withoutName(RuntimeException failure) {
        Throwable cause = failure.getCause();
        String message = "a lock could not be acquired"
                + (cause == null ? "" : ": " + cause.getClass().getSimpleName());
        RuntimeException same;
        if (failure instanceof TooFewReplicasException few) {
            same = new TooFewReplicasException("", few.wanted(), few.acknowledged(), message, null);
        } else if (failure instanceof RedisOutOfMemoryException full) {
            same = new RedisOutOfMemoryException("", full.mayBeTaken(), message, null);
        } else if (failure instanceof LockUnavailableException unavailable) {
            same = new LockUnavailableException("", unavailable.mayBeTaken(), message, null);
        } else if (failure instanceof ForeignKeyException foreign) {
            same = new ForeignKeyException("", foreign.found(), message);
        } else if (failure instanceof PermitsMismatchException mismatch) {
            same = new PermitsMismatchException("", mismatch.permits(), message);
        } else if (failure instanceof LeaseNotResumableException) {
            same = new LeaseNotResumableException("", message);
        } else {
            same = new IllegalStateException(message + ": " + failure.getClass().getSimpleName());
        }
        same.setStackTrace(failure.getStackTrace());
        return same;
    }

    private static String text(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
