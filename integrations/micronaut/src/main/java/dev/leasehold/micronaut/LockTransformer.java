package dev.leasehold.micronaut;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.inject.annotation.NamedAnnotationTransformer;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.util.List;

/**
 * Has Micronaut's annotation processor intercept methods with {@link dev.leasehold.annotation.Lock}. It takes the values
 * of the annotation away from the processor, which would evaluate <code>#{...}</code> by its own language, in which null
 * is a text; the interceptor reads them from the method.
 */
public final class LockTransformer implements NamedAnnotationTransformer {

    /** Creates the transformer; called by the annotation processor. */
    public LockTransformer() {}

    @Override
    public String getName() {
        return "dev.leasehold.annotation.Lock";
    }

    @Override
    public List<AnnotationValue<?>> transform(AnnotationValue<Annotation> annotation, VisitorContext context) {
        return List.of(AnnotationValue.builder(LockAdvice.class).build());
    }
}
