package dev.leasehold.spring.boot;

import dev.leasehold.annotation.LockSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports without a stack trace why an application with @Lock fails at startup. */
final class LockSetupFailureAnalyzer extends AbstractFailureAnalyzer<LockSetupException> {

    LockSetupFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, LockSetupException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), "Change each method as described.", cause);
    }
}
