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

/** The methods with {@link Lock}, read once. */
final class LockedMethods {

    private final BeanFactory beans;
    private final Map<Key, LockedMethod> methods = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> target) {}

    LockedMethods(BeanFactory beans) {
        this.beans = beans;
    }

    /** The annotation of a method as the bean has it, on an interface too, or null. */
    static @Nullable Lock annotation(Method method, Class<?> target) {
        Lock onTarget =
                AnnotatedElementUtils.findMergedAnnotation(AopUtils.getMostSpecificMethod(method, target), Lock.class);
        return onTarget != null ? onTarget : AnnotatedElementUtils.findMergedAnnotation(method, Lock.class);
    }

    /**
     * What the annotation of a method says.
     *
     * @throws LockSetupException if it cannot work
     */
    LockedMethod of(Method method, Class<?> target) {
        Method specific = AopUtils.getMostSpecificMethod(method, target);
        // Not by computeIfAbsent, under whose lock beans would be made.
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
