package dev.leasehold.spring;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds invalid uses of the annotation: for all beans when the singletons have been created, and for later beans at
 * their creation.
 */
final class LockVerifier implements BeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware {

    private @Nullable ConfigurableListableBeanFactory beans;
    private volatile boolean started;

    LockVerifier() {}

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = (ConfigurableListableBeanFactory) factory;
    }

    private ConfigurableListableBeanFactory beans() {
        if (beans == null) {
            throw new IllegalStateException("the bean factory was not set");
        }
        return beans;
    }

    private LockedMethods methods() {
        return beans().getBean(LockAdvisor.class).interceptor().methods();
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> problems = new TreeSet<>();
        Set<String> names = new LinkedHashSet<>(List.of(beans().getBeanDefinitionNames()));
        names.addAll(List.of(beans().getSingletonNames()));
        boolean used = false;
        for (String name : names) {
            Class<?> type = typeOf(name);
            if (type != null) {
                used |= verify(type, instanceOf(name), problems);
            }
        }
        if (used
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans(), Leasehold.class, true, false).length
                        == 0) {
            problems.add("There is no bean of the type Leasehold, which locks need. Declare one, or add the starter");
        }
        if (!problems.isEmpty()) {
            throw new LockSetupException(new ArrayList<>(problems));
        }
        started = true;
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans(), name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException | LinkageError e) {
            // A bean whose class is unknown before its creation is verified at its creation.
            return null;
        }
    }

    /** Returns an existing singleton; the product of a factory bean is verified at its creation. */
    private @Nullable Object instanceOf(String name) {
        Object bean = beans().containsSingleton(name) ? beans().getSingleton(name) : null;
        return bean instanceof FactoryBean<?> || bean instanceof ScopedObject ? null : bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (started && !(bean instanceof ScopedObject)) {
            Set<String> problems = new TreeSet<>();
            verify(ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean)), bean, problems);
            if (!problems.isEmpty()) {
                throw new LockSetupException(new ArrayList<>(problems));
            }
        }
        return bean;
    }

    /** Returns whether the annotation is used at all. */
    private boolean verify(Class<?> type, @Nullable Object bean, Set<String> problems) {
        if (!AnnotationUtils.isCandidateClass(type, Lock.class)) {
            return false;
        }
        Set<Method> locked = new LinkedHashSet<>();
        ReflectionUtils.doWithMethods(
                type,
                method -> locked.add(AopUtils.getMostSpecificMethod(method, type)),
                method ->
                        !method.isBridge() && !method.isSynthetic() && LockedMethods.annotation(method, type) != null);
        locked.forEach(method -> verify(method, type, bean, problems));
        problems.addAll(SelfCalls.of(type, locked));
        return !locked.isEmpty();
    }

    private void verify(Method method, Class<?> type, @Nullable Object bean, Set<String> problems) {
        try {
            LockedMethod read = methods().of(method, type);
            String executor = read.executor();
            if (executor != null) {
                verifyExecutor(executor, read, problems);
            }
            if (bean != null) {
                problems.addAll(new ProxyCheck(read, method, type).problems(bean));
            }
        } catch (LockSetupException e) {
            problems.addAll(e.problems());
        }
    }

    private void verifyExecutor(String name, LockedMethod read, Set<String> problems) {
        if (!beans().containsBean(name)) {
            problems.add(read.shown() + " has executor '" + name + "', but there is no bean of that name. Declare it");
            return;
        }
        Class<?> type = beans().getType(name);
        // Of a bean that is not created yet, only the declared type is known; Object may be any type.
        if (type != null && type != Object.class && !Executor.class.isAssignableFrom(type)) {
            problems.add(read.shown() + " has executor '" + name
                    + "', but that bean is no java.util.concurrent.Executor: its class is "
                    + ClassUtils.getUserClass(type).getSimpleName() + ". Name another bean, or declare the pool");
        }
    }
}
