package dev.leasehold.cli.internal.top;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.LockInfo;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one reading of the locks.
 *
 * @param locks the held locks
 * @param missing the servers that gave no answer
 * @param failure why there are no locks, or null
 */
record Reading(
        List<LockInfo> locks, Set<String> missing, @Nullable RuntimeException failure) {

    /** Reads the locks. */
    static Reading of(Inspector inspector) {
        Set<String> missing = new TreeSet<>();
        try {
            return new Reading(inspector.locks(missing::add), missing, null);
        } catch (RuntimeException e) {
            return new Reading(List.of(), missing, e);
        }
    }

    /**
     * Applies this reading to the model. Redis may be gone for a while; any other failure is a bug.
     *
     * @throws RuntimeException if the reading failed for another reason
     */
    void into(TopModel model) {
        if (failure instanceof LockUnavailableException) {
            model.failed(String.valueOf(failure.getMessage()));
        } else if (failure != null) {
            throw failure;
        } else if (locks.isEmpty() && !missing.isEmpty()) {
            model.failed("no answer from " + String.join(", ", missing));
        } else {
            model.read(locks, missing);
        }
    }
}
