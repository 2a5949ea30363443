package dev.leasehold.spring.boot;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.annotation.FailedStart;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports without a stack trace that an application cannot start because Redis cannot be reached, or refuses it. */
final class LockUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<LockUnavailableException> {

    private static final String UNREACHABLE =
            "Check that Redis is up, and that leasehold.uri or the connection of Spring Data leads to it. If the application is to start"
                    + " before Redis, set leasehold.start-without-redis=true.";

    private static final String AS_THE_MESSAGE_SAYS =
            "Redis answers, but refuses the client: do what the description says.";

    LockUnavailableFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, LockUnavailableException cause) {
        if (!cause.lockName().isEmpty()) {
            // The client had started: the application acquired a lock.
            return null;
        }
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                FailedStart.unreachable(cause) ? UNREACHABLE : AS_THE_MESSAGE_SAYS,
                cause);
    }
}
