package dev.leasehold.quarkus.deployment;

import dev.leasehold.LockOptions;
import dev.leasehold.annotation.LockDialect;
import dev.leasehold.annotation.LockReader;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import dev.leasehold.quarkus.internal.Annotations;
import dev.leasehold.quarkus.internal.LockedMethods;
import io.quarkus.arc.processor.BeanInfo;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.MethodInfo;

/** Finds invalid uses of the annotation among the beans of an application. */
final class LockCheck {

    private final IndexView index;
    private final Map<DotName, BeanInfo> beans;
    private final LockDialect dialect;
    private final Set<String> problems = new TreeSet<>();
    private final Set<Class<?>> locked = new LinkedHashSet<>();

    /**
     * Checks nothing yet.
     *
     * @param beans the beans that are classes
     * @param transactions whether the application has transactions
     */
    LockCheck(IndexView index, Map<DotName, BeanInfo> beans, boolean transactions) {
        this.index = index;
        this.beans = beans;
        this.dialect = new BuildDialect(transactions);
    }

    /** A placeholder is known when the application starts, and checked then; here any text that is valid replaces it. */
    private record BuildDialect(boolean knowsTransactions) implements LockDialect {

        @Override
        public Set<LockedMethod.Result> results() {
            return LockedMethods.RESULTS;
        }

        @Override
        public String resolve(String text) {
            return text.contains("${") ? "1s" : text;
        }
    }

    /** Returns the classes of the beans that have such methods. */
    Set<Class<?>> locked() {
        return locked;
    }

    List<String> check(List<MethodInfo> methods) {
        methods.forEach(this::check);
        return new ArrayList<>(problems);
    }

    private void check(MethodInfo method) {
        List<BeanInfo> owners = Stream.concat(
                        Stream.of(method.declaringClass()),
                        index.getAllKnownSubclasses(method.declaringClass().name()).stream())
                .flatMap(type -> Stream.ofNullable(beans.get(type.name())))
                .toList();
        if (method.declaringClass().isInterface()) {
            problem(
                    method,
                    "is a method of an interface, whose annotations beans do not inherit. Put @Lock on the method of"
                            + " the class");
        } else if (owners.isEmpty()) {
            problem(
                    method,
                    "is not a method of a bean: it would run without the lock. Give its class a scope, such as"
                            + " @ApplicationScoped");
        }
        owners.forEach(bean -> check(method, bean));
    }

    private void check(MethodInfo method, BeanInfo bean) {
        Class<?> target = load(bean.getBeanClass());
        Method reflected = reflected(method);
        int before = problems.size();
        try {
            LockedMethod unused = new LockReader(
                            reflected,
                            target,
                            Annotations.find(reflected).orElseThrow(),
                            LockOptions.defaults(),
                            dialect)
                    .read();
        } catch (LockSetupException e) {
            problems.addAll(e.problems());
        }
        if (problems.size() == before
                && !bean.getInterceptedMethodsBindings().containsKey(method)
                && !isLockedWhereOverridden(reflected, target)) {
            problem(
                    method,
                    "is overridden in " + bean.getBeanClass().withoutPackagePrefix()
                            + " by a method without @Lock, which would run without the lock. Repeat the annotation there");
        }
        locked.add(target);
    }

    /** Returns whether the method of the bean that overrides another has a lock of its own, which is checked by itself. */
    private static boolean isLockedWhereOverridden(Method method, Class<?> target) {
        for (Class<?> c = target; c != null && c != method.getDeclaringClass(); c = c.getSuperclass()) {
            List<Method> overriding = declared(c, method)
                    .filter(own -> Arrays.equals(own.getParameterTypes(), method.getParameterTypes()))
                    .toList();
            // A bridge leads to a method with other types of the same class.
            Stream<Method> real = overriding.stream().allMatch(Method::isBridge)
                    ? declared(c, method).filter(own -> own.getParameterCount() == method.getParameterCount())
                    : overriding.stream();
            if (!overriding.isEmpty()) {
                return real.anyMatch(own -> Annotations.find(own).isPresent());
            }
        }
        return false;
    }

    private static Stream<Method> declared(Class<?> type, Method like) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(like.getName()));
    }

    private void problem(MethodInfo method, String what) {
        problems.add(method.declaringClass().name().withoutPackagePrefix() + "." + method.name() + " " + what);
    }

    private static Method reflected(MethodInfo method) {
        return Stream.of(load(method.declaringClass().name()).getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(method.name())
                        && descriptor(candidate).equals(method.descriptor()))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("the class file of " + method + " differs from its index"));
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }

    /** Loads a class of the application without running its code. */
    private static Class<?> load(DotName name) {
        try {
            return Class.forName(name.toString(), false, Thread.currentThread().getContextClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is in the index, but not on the class path", e);
        }
    }
}
