package dev.leasehold.spring;

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
import org.springframework.util.ClassUtils;

/** Whether the calls of a method come by its lock, and in what order they come by the rest. */
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
                    + " has no proxy before it: its bean was made before @Lock took effect. Do not need it in a"
                    + " BeanPostProcessor or an Advisor, or let that get it lazily");
        }
        List<String> problems = new ArrayList<>();
        if (AopUtils.isJdkDynamicProxy(bean) && !isOfInterface(bean)) {
            problems.add(read.shown()
                    + " is in no interface of its bean, which is proxied by its interfaces: nobody can call it"
                    + " with the lock. Declare it in one, or say @EnableLocks(proxyTargetClass = true)");
        }
        for (int i = 0; i < advisors.size(); i++) {
            Advisor advisor = advisors.get(i);
            if (i < lock
                    && read.release() != Lock.Release.AFTER_TRANSACTION
                    && isTransaction(advisor.getAdvice().getClass())
                    && applies(advisor)) {
                problems.add(
                        read.shown() + " begins its transaction before it takes the lock, and would release the lock"
                                + " before the transaction is committed: others would read what was there before. Leave the order of"
                                + " transactions and of @EnableLocks as they are by default, give @EnableLocks the lower order, or"
                                + " say release = AFTER_TRANSACTION");
            }
            if (i > lock
                    && read.result() == LockedMethod.Result.PLAIN
                    && advisor.getAdvice() instanceof AsyncExecutionInterceptor
                    && applies(advisor)) {
                problems.add(
                        read.shown()
                                + " goes to another thread by @Async after it has taken the lock, and would release the"
                                + " lock before it runs. Leave the order of @EnableAsync and of @EnableLocks as they are by default");
            }
        }
        return problems;
    }

    /** By name, for Spring's transactions need not be there. */
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

    /** Those of a proxy within a proxy, too. */
    private static List<Advisor> outermostFirst(Object bean) {
        List<Advisor> advisors = new ArrayList<>();
        Object next = bean;
        while (next instanceof Advised advised) {
            advisors.addAll(Arrays.asList(advised.getAdvisors()));
            next = AopProxyUtils.getSingletonTarget(next);
        }
        return advisors;
    }

    private boolean isOfInterface(Object bean) {
        return Arrays.stream(bean.getClass().getInterfaces())
                .anyMatch(face -> ClassUtils.hasMethod(face, method.getName(), method.getParameterTypes()));
    }
}
