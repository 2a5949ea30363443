package dev.leasehold.micronaut;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import io.micronaut.aop.Intercepted;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds invalid uses of the annotation at the start of the application, in all its beans. If the annotation is used, it
 * creates the client then, so that an application without a server does not start.
 */
@Singleton
final class LockVerifier implements ApplicationEventListener<StartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.micronaut");

    private final ApplicationContext context;
    private final LockedMethods methods;

    LockVerifier(ApplicationContext context, LockedMethods methods) {
        this.context = context;
        this.methods = methods;
    }

    @Override
    public void onApplicationEvent(StartupEvent event) {
        Set<String> problems = new TreeSet<>();
        boolean used = false;
        for (BeanDefinition<?> bean : context.getAllBeanDefinitions()) {
            if (!bean.getClass().getName().startsWith("io.micronaut.")) {
                List<? extends ExecutableMethod<?, ?>> locked = lockedMethods(bean);
                used |= !locked.isEmpty();
                locked.forEach(method -> verify(method, problems));
                verifyInterception(bean.getBeanType(), locked, problems);
            }
        }
        if (!problems.isEmpty()) {
            throw new LockSetupException(new ArrayList<>(problems));
        }
        if (used) {
            context.getBean(Leasehold.class);
        }
    }

    private static List<? extends ExecutableMethod<?, ?>> lockedMethods(BeanDefinition<?> bean) {
        return bean.getExecutableMethods().stream()
                .filter(method -> method.hasAnnotation(LockAdvice.class) && !LockedMethods.isAdapter(method))
                .toList();
    }

    private void verify(ExecutableMethod<?, ?> method, Set<String> problems) {
        try {
            LockedMethod read = methods.of(method);
            String executor = read.executor();
            if (executor != null && !context.containsBean(Executor.class, Qualifiers.byName(executor))) {
                problems.add(read.shown() + " has executor '" + executor
                        + "', but there is no Executor bean of that name. Declare one");
            }
        } catch (LockSetupException e) {
            problems.addAll(e.problems());
        }
    }

    /** Reports methods that would run without their lock. Classes that are not registered in a native image are not seen. */
    private static void verifyInterception(
            Class<?> type, List<? extends ExecutableMethod<?, ?>> locked, Set<String> problems) {
        List<String> intercepted = Intercepted.class.isAssignableFrom(type)
                ? locked.stream()
                        .map(method -> signature(method.getName(), method.getArgumentTypes()))
                        .toList()
                : List.of();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            Stream.concat(Stream.of(c), Arrays.stream(c.getInterfaces()))
                    .flatMap(LockVerifier::declaredMethods)
                    .filter(method -> !method.isBridge() && method.isAnnotationPresent(Lock.class))
                    .filter(method -> !intercepted.contains(signature(method)))
                    .filter(method -> !isInterceptedWhereOverridden(method, type, intercepted))
                    .forEach(method -> problems.add(notIntercepted(method)));
        }
    }

    /** Returns whether a method of a subclass, with types in place of type parameters, is intercepted instead of this one. */
    private static boolean isInterceptedWhereOverridden(Method method, Class<?> type, List<String> intercepted) {
        for (Class<?> c = type; c != null && c != method.getDeclaringClass(); c = c.getSuperclass()) {
            if (declaredMethods(c)
                    .anyMatch(own -> own.isBridge() && signature(own).equals(signature(method)))) {
                return declaredMethods(c)
                        .filter(own -> !own.isBridge() && own.getName().equals(method.getName()))
                        .filter(own -> own.getParameterCount() == method.getParameterCount())
                        .anyMatch(own -> intercepted.contains(signature(own)));
            }
        }
        return false;
    }

    private static Stream<Method> declaredMethods(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredMethods());
        } catch (NoClassDefFoundError e) {
            LOG.debug("{} is not searched for @Lock, as a class that it names is missing", type.getName(), e);
            return Stream.empty();
        }
    }

    private static String signature(Method method) {
        return signature(method.getName(), method.getParameterTypes());
    }

    private static String signature(String name, Class<?>[] parameters) {
        return name + Arrays.toString(parameters);
    }

    private static String notIntercepted(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + " is not intercepted, and would run without its lock. Add leasehold-micronaut to the path of annotation"
                + " processors, and let @Lock be on an overridable method of a class that Micronaut creates as a bean";
    }
}
