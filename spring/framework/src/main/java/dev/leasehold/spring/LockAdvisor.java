package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.core.annotation.AnnotationUtils;

/** Intercepts methods that have the annotation. */
final class LockAdvisor extends AbstractPointcutAdvisor implements BeanFactoryAware {

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut = new Annotated();
    private transient @Nullable LockInterceptor interceptor;

    LockAdvisor() {}

    @Override
    public void setBeanFactory(BeanFactory beans) {
        interceptor = new LockInterceptor(beans);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor();
    }

    LockInterceptor interceptor() {
        if (interceptor == null) {
            throw new IllegalStateException("the bean factory was not set");
        }
        return interceptor;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        Annotated() {
            setClassFilter(new Candidates());
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return LockedMethods.annotation(method, targetClass) != null;
        }
    }

    private static final class Candidates implements ClassFilter {
        @Override
        public boolean matches(Class<?> type) {
            return AnnotationUtils.isCandidateClass(type, Lock.class);
        }
    }
}
