package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.quarkus.LeaseholdBuildTimeConfig;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.resteasy.reactive.spi.ExceptionMapperBuildItem;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An application without Quarkus REST and SmallRye Health is built. */
class OptionalExtensionsTest {

    /** Loads the extension anew, as an application does that has neither of both. */
    private static final class WithoutThem extends ClassLoader {

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.jboss.resteasy.") || name.startsWith("org.eclipse.microprofile.health.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("dev.leasehold.quarkus.")
                    || name.startsWith(LeaseholdBuildTimeConfig.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static <T> T enabled(Class<T> config) {
        return config.cast(Proxy.newProxyInstance(
                config.getClassLoader(),
                new Class<?>[] {config},
                (proxy, method, arguments) ->
                        method.getReturnType() == boolean.class ? true : enabled(method.getReturnType())));
    }

    @Test
    void healthAndWebAnswersNeedNoClassOfTheirs() throws Exception {
        Class<?> type = new WithoutThem().loadClass(LeaseholdProcessor.class.getName());
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object processor = constructor.newInstance();
        Method health = type.getDeclaredMethod("health", LeaseholdBuildTimeConfig.class);
        health.setAccessible(true);
        Object check = health.invoke(processor, enabled(LeaseholdBuildTimeConfig.class));
        assertThat(((HealthBuildItem) check).getHealthCheckClass())
                .isEqualTo("dev.leasehold.quarkus.internal.LeaseholdHealthCheck");
        List<String> mapped = new ArrayList<>();
        BuildProducer<ExceptionMapperBuildItem> mappers = item -> mapped.add(item.getHandledExceptionName());
        Method answers = type.getDeclaredMethod("webAnswers", LeaseholdBuildTimeConfig.class, BuildProducer.class);
        answers.setAccessible(true);
        answers.invoke(processor, enabled(LeaseholdBuildTimeConfig.class), mappers);
        assertThat(mapped)
                .containsExactly(
                        "dev.leasehold.LockNotAcquiredException",
                        "dev.leasehold.LockUnavailableException",
                        "dev.leasehold.LeaseLostException");
    }
}
