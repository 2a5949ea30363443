package dev.leasehold.micronaut;

import dev.leasehold.LockOptions;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockReader;
import dev.leasehold.annotation.LockedMethod;
import io.micronaut.aop.Adapter;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The settings of the methods with {@link Lock}, each read once. */
@Singleton
final class LockedMethods {

    private final ApplicationContext context;
    private final LockOptions defaults;
    private final Map<Method, LockedMethod> methods = new ConcurrentHashMap<>();

    LockedMethods(ApplicationContext context, LockOptions defaults) {
        this.context = context;
        this.defaults = defaults;
    }

    /**
     * Returns whether Micronaut has generated a method that calls one with {@link Lock}, as for {@code @EventListener}. It copies the
     * annotations; the lock is that of the method which is called.
     */
    static boolean isAdapter(ExecutableMethod<?, ?> method) {
        return method.hasStereotype(Adapter.class) && !method.getTargetMethod().isAnnotationPresent(Lock.class);
    }

    /**
     * Returns the settings of a method.
     *
     * @throws dev.leasehold.annotation.LockSetupException if the annotation has errors
     */
    LockedMethod of(ExecutableMethod<?, ?> executable) {
        return methods.computeIfAbsent(executable.getTargetMethod(), method -> read(method, executable));
    }

    private LockedMethod read(Method method, ExecutableMethod<?, ?> executable) {
        Lock lock = method.getAnnotation(Lock.class);
        if (lock == null) {
            throw new IllegalStateException(method + " has no @Lock of its own. Write it on the method of the class");
        }
        MicronautDialect dialect = new MicronautDialect(context.getEnvironment(), executable);
        return new LockReader(method, executable.getDeclaringType(), lock, defaults, dialect).read();
    }
}
