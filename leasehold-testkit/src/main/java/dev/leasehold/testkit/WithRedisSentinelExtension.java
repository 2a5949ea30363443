package dev.leasehold.testkit;

import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** What {@link WithRedisSentinel} does. */
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

    /** Started once, for the annotated class; its store closes it, and nested classes look into that one's. */
    private static EmbeddedSentinel group(ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(
                        EmbeddedSentinel.class, key -> start(context.getRequiredTestClass()), EmbeddedSentinel.class);
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
