package dev.leasehold.testkit;

import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The implementation of {@link WithRedisSentinel}. */
final class WithRedisSentinelExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(WithRedisSentinelExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        group(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        group(context).reset();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedSentinel.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return group(context);
    }

    /**
     * Returns the group, started once for the annotated class. That class's store closes it; nested classes find it
     * there.
     */
    private static EmbeddedSentinel group(ExtensionContext context) {
        return Stored.computeIfAbsent(
                context.getStore(NAMESPACE),
                EmbeddedSentinel.class,
                EmbeddedSentinel.class,
                () -> start(context.getRequiredTestClass()));
    }

    private static EmbeddedSentinel start(Class<?> testClass) {
        WithRedisSentinel wanted = testClass.getAnnotation(WithRedisSentinel.class);
        return EmbeddedSentinel.builder()
                .replicas(wanted.replicas())
                .sentinels(wanted.sentinels())
                .downAfter(Duration.ofMillis(wanted.downAfterMillis()))
                .start();
    }
}
