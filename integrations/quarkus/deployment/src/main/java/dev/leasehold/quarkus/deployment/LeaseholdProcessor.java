package dev.leasehold.quarkus.deployment;

import dev.leasehold.LeaseLostException;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.quarkus.LeaseholdBuildTimeConfig;
import dev.leasehold.quarkus.LeaseholdBuilderCustomizer;
import dev.leasehold.quarkus.internal.LeaseholdLifecycle;
import dev.leasehold.quarkus.internal.LeaseholdProducer;
import dev.leasehold.quarkus.internal.MetricsProducer;
import dev.leasehold.spi.EventLoops;
import dev.leasehold.spi.RedisTransportProvider;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.UnremovableBeanBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.RunTimeConfigurationDefaultBuildItem;
import io.quarkus.deployment.builditem.nativeimage.NativeImageResourcePatternsBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.resteasy.reactive.spi.ExceptionMapperBuildItem;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The beans of the extension. */
@BuildSteps(onlyIf = LeaseholdProcessor.Enabled.class)
final class LeaseholdProcessor {

    // By name: an application without SmallRye Health or Quarkus REST does not have the classes that these are made of.
    private static final String HEALTH_CHECK = "dev.leasehold.quarkus.internal.LeaseholdHealthCheck";
    private static final String EXCEPTION_MAPPER = "dev.leasehold.quarkus.internal.LockExceptionMapper";

    /** A mapper without a priority has 5000. */
    private static final int AFTER_THE_APPLICATION = 6000;

    LeaseholdProcessor() {}

    /** Whether the application uses the extension. */
    static final class Enabled implements BooleanSupplier {

        private final LeaseholdBuildTimeConfig config;

        Enabled(LeaseholdBuildTimeConfig config) {
            this.config = config;
        }

        @Override
        public boolean getAsBoolean() {
            return config.enabled();
        }
    }

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem("leasehold");
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .addBeanClasses(LeaseholdProducer.class, LeaseholdLifecycle.class)
                .build();
    }

    /** At the end Lettuce warns that a connection which Leasehold has closed is closed. */
    @BuildStep
    RunTimeConfigurationDefaultBuildItem logOfLettuce() {
        return new RunTimeConfigurationDefaultBuildItem(
                "quarkus.log.category.\"io.lettuce.core.RedisChannelHandler\".level", "ERROR");
    }

    /** They are found by their type, which Quarkus does not see as a use. */
    @BuildStep
    UnremovableBeanBuildItem foundByType() {
        return UnremovableBeanBuildItem.beanTypes(LeaseholdListener.class, LeaseholdBuilderCustomizer.class);
    }

    /** Has an effect if the application has SmallRye Health. */
    @BuildStep
    HealthBuildItem health(LeaseholdBuildTimeConfig config) {
        return new HealthBuildItem(HEALTH_CHECK, config.health().enabled());
    }

    @BuildStep
    void meters(
            LeaseholdBuildTimeConfig config,
            Optional<MetricsCapabilityBuildItem> metrics,
            BuildProducer<AdditionalBeanBuildItem> beans) {
        if (config.metrics().enabled()
                && metrics.isPresent()
                && metrics.get().metricsSupported(MetricsFactory.MICROMETER)) {
            beans.produce(AdditionalBeanBuildItem.unremovableOf(MetricsProducer.class));
        }
    }

    /** Has an effect if the application has Quarkus REST. A mapper of the application for the same exception has a higher priority. */
    @BuildStep
    void webAnswers(LeaseholdBuildTimeConfig config, BuildProducer<ExceptionMapperBuildItem> mappers) {
        if (!config.web().enabled()) {
            return;
        }
        for (Class<?> failure :
                List.of(LockNotAcquiredException.class, LockUnavailableException.class, LeaseLostException.class)) {
            mappers.produce(
                    new ExceptionMapperBuildItem(EXCEPTION_MAPPER, failure.getName(), AFTER_THE_APPLICATION, true));
        }
    }

    /** For native images: the scripts, and what the core finds as a service. */
    @BuildStep
    NativeImageResourcePatternsBuildItem scripts() {
        return NativeImageResourcePatternsBuildItem.builder()
                .includeGlob("dev/leasehold/**/*.lua")
                .build();
    }

    @BuildStep
    void services(BuildProducer<ServiceProviderBuildItem> services) {
        for (Class<?> service : List.of(RedisTransportProvider.class, EventLoops.class)) {
            services.produce(ServiceProviderBuildItem.allProvidersFromClassPath(service.getName()));
        }
    }
}
