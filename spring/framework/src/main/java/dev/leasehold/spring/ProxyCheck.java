package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockedMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Checks that the proxy of a bean intercepts a method with the lock, and the order of the lock among the interceptors.
 */
final class ProxyCheck {

    private static final String TRANSACTION_ADVICE =
            "org.springframework.transaction.interceptor.TransactionInterceptor";

    private final LockedMethod read;
    private final Method method;
    private final Class<?> type;

    ProxyCheck(LockedMethod read, Method method, Class<?> type) {
        this.read = read;
        this.method = method;
        this.type = type;
    }

    List<String> problems(Object bean) {
        List<Advisor> advisors = outermostFirst(bean);
        int lock = -1;
        for (int i = 0; i < advisors.size() && lock < 0; i++) {
            lock = advisors.get(i).getAdvice() instanceof LockInterceptor ? i : -1;
        }
        if (lock < 0) {
            return List.of(read.shown()
                    + " has no proxy: its bean was created before @Lock took effect. Do not inject it into a"
                    + " BeanPostProcessor or an Advisor, or inject it lazily there");
        }
        List<String> problems = new ArrayList<>();
        if (AopUtils.isJdkDynamicProxy(bean) && !isOfInterface(bean)) {
            problems.add(read.shown()
                    + " is in no interface of its bean, which is proxied by its interfaces: it cannot be called"
                    + " with the lock. Declare it in an interface, or set @EnableLocks(proxyTargetClass = true)");
        }
        for (int i = 0; i < advisors.size(); i++) {
            Advisor advisor = advisors.get(i);
            if (i < lock
                    && read.release() != Lock.Release.AFTER_TRANSACTION
                    && isTransaction(advisor.getAdvice().getClass())
                    && applies(advisor)) {
                problems.add(
                        read.shown() + " begins its transaction before it acquires the lock, and would release the lock"
                                + " before the transaction is committed: others would read outdated data. Keep the default order of"
                                + " transactions and of @EnableLocks, give @EnableLocks the lower order, or"
                                + " set release = AFTER_TRANSACTION");
            }
            if (i > lock
                    && read.result() == LockedMethod.Result.PLAIN
                    && advisor.getAdvice() instanceof AsyncExecutionInterceptor
                    && applies(advisor)) {
                problems.add(read.shown()
                        + " is moved to another thread by @Async after it has acquired the lock, and would release the"
                        + " lock before it runs. Keep the default order of @EnableAsync and of @EnableLocks");
            }
        }
        return problems;
    }

    /** Compares by name, as Spring's transactions are an optional dependency. */
    private static boolean isTransaction(@Nullable Class<?> advice) {
        for (Class<?> c = advice; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(TRANSACTION_ADVICE)) {
                return true;
            }
        }
        return false;
    }

    private boolean applies(Advisor advisor) {
        return !(advisor instanceof PointcutAdvisor pointed)
                || (pointed.getPointcut().getClassFilter().matches(type)
                        && pointed.getPointcut().getMethodMatcher().matches(method, type));
    }

    /** Returns the advisors of a bean, also those of a proxy within a proxy. */
    private static List<Advisor> outermostFirst(Object bean) {
        List<Advisor> advisors = new ArrayList<>();
        Object next = bean;
        while (next instanceof Advised advised) {
            advisors.addAll(Arrays.asList(advised.getAdvisors()));
            next = AopProxyUtils.getSingletonTarget(next);
        }
        return advisors;
    }

    /** Returns whether a method of an interface leads to this one; it may have other types, if they are type parameters. */
    private boolean isOfInterface(Object bean) {
        return Arrays.stream(bean.getClass().getInterfaces())
                .flatMap(face -> Arrays.stream(ReflectionUtils.getAllDeclaredMethods(face)))
                .filter(declared -> declared.getName().equals(method.getName()))
                .anyMatch(declared ->
                        AopUtils.getMostSpecificMethod(declared, type).equals(method));
    }
}
