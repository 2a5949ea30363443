package dev.leasehold.spring.boot;

import dev.leasehold.LockUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports without a stack trace that an application cannot start because Redis cannot be reached, or refuses it. */
final class LockUnavailableFailureAnalyzer extends AbstractFailureAnalyzer<LockUnavailableException> {

    LockUnavailableFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, LockUnavailableException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Check that Redis is up, and that leasehold.uri or the connection of Spring Data leads to it. If the application is to"
                        + " start before Redis, set leasehold.start-without-redis=true.",
                cause);
    }
}
