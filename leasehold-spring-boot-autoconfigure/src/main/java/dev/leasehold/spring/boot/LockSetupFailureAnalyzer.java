package dev.leasehold.spring.boot;

import dev.leasehold.spring.LockSetupException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says without a stack trace why an application with @Lock does not start. */
final class LockSetupFailureAnalyzer extends AbstractFailureAnalyzer<LockSetupException> {

    LockSetupFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, LockSetupException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()), "Change the methods as it says of each of them.", cause);
    }
}
