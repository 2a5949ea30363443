package dev.leasehold.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports without a stack trace why an application with the console fails at startup. */
final class ConsoleSetupFailureAnalyzer extends AbstractFailureAnalyzer<ConsoleSetupException> {

    ConsoleSetupFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, ConsoleSetupException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
