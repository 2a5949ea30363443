package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.Lock;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/** Finds the annotation of a method. */
public final class Annotations {

    private Annotations() {}

    /**
     * Returns the annotation of a method, or that of one of its annotations.
     *
     * @param method the method
     * @return the annotation, if there is one
     */
    public static Optional<Lock> find(Method method) {
        Lock own = method.getAnnotation(Lock.class);
        return own != null
                ? Optional.of(own)
                : Arrays.stream(method.getAnnotations())
                        .map(Annotation::annotationType)
                        .map(type -> type.getAnnotation(Lock.class))
                        .filter(Objects::nonNull)
                        .findFirst();
    }
}
