package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.micrometer.LeaseholdObservations;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.AutoConfigureBefore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * Classes of Boot that are named by strings, because their packages differ between versions. No compiler checks the
 * names, and a wrong name has no effect. The first of a pair is the class of Boot 4, which this test checks. The second
 * is that of Boot 3, which leasehold-spring-boot-3 checks.
 */
class ClassNamesTest {

    @Configuration(proxyBeanMethods = false)
    static class InMemory {
        @Bean
        Leasehold leasehold() {
            return InMemoryLeasehold.create(ManualClock.create());
        }
    }

    /** Returns the class names in this attribute of an annotation, for all classes of the module. */
    private static List<String[]> named(Class<? extends Annotation> annotation) throws IOException {
        MetadataReaderFactory classes = new CachingMetadataReaderFactory();
        List<String[]> named = new ArrayList<>();
        for (Resource one : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:dev/leasehold/spring/boot/*.class")) {
            AnnotationMetadata metadata = classes.getMetadataReader(one).getAnnotationMetadata();
            metadata.getAnnotations().stream(annotation)
                    .map(found -> found.getStringArray("name"))
                    .filter(names -> names.length > 0)
                    .forEach(named::add);
        }
        return named;
    }

    private static boolean isThere(String className) {
        return ClassUtils.isPresent(className, ClassNamesTest.class.getClassLoader());
    }

    @Test
    void theFirstOfEachPairIsAClassOfBoot4() throws IOException {
        List<String[]> pairs = new ArrayList<>(named(AutoConfigureAfter.class));
        pairs.addAll(named(AutoConfigureBefore.class));
        assertThat(pairs).hasSizeGreaterThanOrEqualTo(3).allSatisfy(pair -> {
            assertThat(pair).hasSize(2);
            assertThat(isThere(pair[0])).as(pair[0]).isTrue();
            assertThat(isThere(pair[1])).as(pair[1]).isFalse();
        });
    }

    /** Conditions on a class of Boot 3 belong in leasehold-spring-boot-3. */
    @Test
    void aClassThatAConditionNamesIsOneOfBoot4() throws IOException {
        assertThat(named(ConditionalOnClass.class))
                .allSatisfy(names -> assertThat(names)
                        .allSatisfy(name -> assertThat(isThere(name)).as(name).isTrue()));
    }

    /**
     * In a wrong order, the conditions would be evaluated before the registries exist: by name, Leasehold's come first.
     */
    @Test
    void theRegistriesOfBootAreFound() {
        new ApplicationContextRunner()
                .withUserConfiguration(InMemory.class)
                .withConfiguration(AutoConfigurations.of(
                        LeaseholdAutoConfiguration.class,
                        LeaseholdMetricsAutoConfiguration.class,
                        LeaseholdObservationAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        ObservationAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaseholdMetrics.class)
                        .hasSingleBean(LeaseholdObservations.class));
    }
}
