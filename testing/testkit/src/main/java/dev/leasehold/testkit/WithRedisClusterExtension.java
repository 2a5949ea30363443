package dev.leasehold.testkit;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The implementation of {@link WithRedisCluster}. */
final class WithRedisClusterExtension implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(WithRedisClusterExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        cluster(context).reset();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cluster(context);
    }

    /**
     * Returns the cluster, started once for the annotated class. That class's store closes it; nested classes find
     * it there.
     */
    private static EmbeddedCluster cluster(ExtensionContext context) {
        return Stored.computeIfAbsent(
                context.getStore(NAMESPACE),
                EmbeddedCluster.class,
                EmbeddedCluster.class,
                () -> start(context.getRequiredTestClass()));
    }

    private static EmbeddedCluster start(Class<?> testClass) {
        WithRedisCluster wanted = testClass.getAnnotation(WithRedisCluster.class);
        String coverage = wanted.partly() ? "no" : "yes";
        return EmbeddedCluster.builder()
                .primaries(wanted.primaries())
                .replicas(wanted.replicas())
                .settings(EmbeddedRedis.builder().config("cluster-require-full-coverage", coverage))
                .start();
    }
}
