package dev.leasehold.spring;

import dev.leasehold.LockOptions;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockDialect;
import dev.leasehold.annotation.LockReader;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The cached settings of the methods with {@link Lock}. */
final class LockedMethods {

    private final BeanFactory beans;
    private final LockDialect dialect;
    private final Map<Key, LockedMethod> methods = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> target) {}

    LockedMethods(BeanFactory beans) {
        this.beans = beans;
        this.dialect = new SpringDialect(beans);
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
        LockedMethod read = new LockReader(specific, target, lock, defaults(), dialect).read();
        LockedMethod before = methods.putIfAbsent(key, read);
        return before != null ? before : read;
    }

    private LockOptions defaults() {
        LockOptions bean = beans.getBeanProvider(LockOptions.class).getIfUnique();
        return bean != null ? bean : LockOptions.defaults();
    }
}
