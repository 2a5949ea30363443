package dev.leasehold.spring;

import dev.leasehold.LockOptions;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The cached settings of the methods with {@link Lock}. */
final class LockedMethods {

    private final BeanFactory beans;
    private final Map<Key, LockedMethod> methods = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> target) {}

    LockedMethods(BeanFactory beans) {
        this.beans = beans;
    }

    /** Returns the annotation of a method on the bean's class or an interface, or null. */
    static @Nullable Lock annotation(Method method, Class<?> target) {
        Lock onTarget =
                AnnotatedElementUtils.findMergedAnnotation(AopUtils.getMostSpecificMethod(method, target), Lock.class);
        return onTarget != null ? onTarget : AnnotatedElementUtils.findMergedAnnotation(method, Lock.class);
    }

    /**
     * Returns the settings of an annotated method.
     *
     * @throws LockSetupException if the annotation has errors
     */
    LockedMethod of(Method method, Class<?> target) {
        Method specific = AopUtils.getMostSpecificMethod(method, target);
        // Not computeIfAbsent, as beans would be created under its lock.
        Key key = new Key(specific, target);
        LockedMethod known = methods.get(key);
        if (known != null) {
            return known;
        }
        Lock lock = annotation(method, target);
        if (lock == null) {
            throw new IllegalStateException(specific + " has no @Lock");
        }
        LockedMethod read = new LockReader(specific, target, lock, defaults(), placeholders()).read();
        LockedMethod before = methods.putIfAbsent(key, read);
        return before != null ? before : read;
    }

    private LockOptions defaults() {
        LockOptions bean = beans.getBeanProvider(LockOptions.class).getIfUnique();
        return bean != null ? bean : LockOptions.defaults();
    }

    private UnaryOperator<String> placeholders() {
        if (!(beans instanceof ConfigurableBeanFactory factory)) {
            return text -> text;
        }
        return text -> {
            String resolved = factory.resolveEmbeddedValue(text);
            return resolved == null ? text : resolved;
        };
    }
}
