package dev.leasehold.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.AutoConfigureBefore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;

/** Complements the test of the same name in leasehold-spring-boot-autoconfigure, with the classes of Boot 3.5. */
class ClassNamesTest {

    /** Returns the class names in this attribute of an annotation, for the classes of a package. */
    private static List<String[]> named(String place, Class<? extends Annotation> annotation) throws IOException {
        MetadataReaderFactory classes = new CachingMetadataReaderFactory();
        List<String[]> named = new ArrayList<>();
        Resource[] resources = new PathMatchingResourcePatternResolver().getResources("classpath*:" + place);
        assertThat(resources).as(place).isNotEmpty();
        for (Resource one : resources) {
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
    void theSecondOfEachPairIsAClassOfBoot3() throws IOException {
        List<String[]> pairs = new ArrayList<>(named("dev/leasehold/spring/boot/*.class", AutoConfigureAfter.class));
        pairs.addAll(named("dev/leasehold/spring/boot/*.class", AutoConfigureBefore.class));
        assertThat(pairs).hasSizeGreaterThanOrEqualTo(3).allSatisfy(pair -> {
            assertThat(pair).hasSize(2);
            assertThat(isThere(pair[0])).as(pair[0]).isFalse();
            assertThat(isThere(pair[1])).as(pair[1]).isTrue();
        });
    }

    @Test
    void everyClassThatThisModuleNamesExistsInBoot3() throws IOException {
        for (Class<? extends Annotation> annotation :
                List.of(AutoConfigureAfter.class, AutoConfigureBefore.class, ConditionalOnClass.class)) {
            assertThat(named("dev/leasehold/spring/boot3/*.class", annotation))
                    .allSatisfy(names -> assertThat(names)
                            .allSatisfy(
                                    name -> assertThat(isThere(name)).as(name).isTrue()));
        }
    }
}
