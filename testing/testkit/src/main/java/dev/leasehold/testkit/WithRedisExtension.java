package dev.leasehold.testkit;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The implementation of {@link WithRedis}. */
final class WithRedisExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(WithRedisExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        extension(context).beforeAll(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        extension(context).beforeEach(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedRedis.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return extension(context).server();
    }

    /**
     * Returns the extension, created once for the annotated class; the stores of nested classes and methods find it
     * there.
     */
    private static EmbeddedRedisExtension extension(ExtensionContext context) {
        return Stored.computeIfAbsent(
                context.getStore(NAMESPACE),
                EmbeddedRedisExtension.class,
                EmbeddedRedisExtension.class,
                () -> create(context.getRequiredTestClass()));
    }

    private static EmbeddedRedisExtension create(Class<?> testClass) {
        WithRedis annotation = testClass.getAnnotation(WithRedis.class);
        EmbeddedRedisExtension extension = EmbeddedRedisExtension.perClass();
        return annotation == null || annotation.flush() ? extension : extension.withoutFlush();
    }
}
