package dev.leasehold.quarkus.deployment;

import dev.leasehold.annotation.Lock;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget.Kind;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/** The uses of the annotation in an index: on methods, and on annotations of methods. */
final class LockUses {

    private static final DotName LOCK = DotName.createSimple(Lock.class);

    private LockUses() {}

    /** Returns the annotation, and the annotations that have it. */
    static Set<DotName> annotations(IndexView index) {
        Stream<DotName> composed = index.getAnnotations(LOCK).stream()
                .filter(use -> use.target().kind() == Kind.CLASS)
                .map(use -> use.target().asClass().name());
        return Stream.concat(Stream.of(LOCK), composed).collect(Collectors.toSet());
    }

    /** Returns the methods of the source code: the compiler copies the annotation to the bridges that it adds. */
    static List<MethodInfo> methods(IndexView index) {
        return annotations(index).stream()
                .flatMap(annotation -> index.getAnnotations(annotation).stream())
                .filter(use -> use.target().kind() == Kind.METHOD)
                .map(use -> use.target().asMethod())
                .filter(method -> !method.isSynthetic())
                .distinct()
                .toList();
    }

    /** Returns whether a bean's subclass can intercept a method; the check reports the others. */
    static boolean canBeIntercepted(MethodInfo method) {
        int never = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
        return (method.flags() & never) == 0;
    }
}
