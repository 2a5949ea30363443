package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Hints for each bean with {@link Lock}: its methods, which are looked up at startup, and the public methods of the
 * arguments, which templates may call.
 */
final class LockedBeanHints implements BeanRegistrationAotProcessor {

    LockedBeanHints() {}

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        if (!AnnotationUtils.isCandidateClass(type, Lock.class)) {
            return null;
        }
        Set<Class<?>> arguments = new LinkedHashSet<>();
        boolean[] locked = new boolean[1];
        ReflectionUtils.doWithMethods(
                type,
                method -> {
                    locked[0] = true;
                    arguments.addAll(List.of(method.getParameterTypes()));
                },
                method -> isLocked(method, type));
        return locked[0] ? (context, code) -> register(context.getRuntimeHints().reflection(), type, arguments) : null;
    }

    private static boolean isLocked(Method method, Class<?> type) {
        return !method.isBridge() && !method.isSynthetic() && LockedMethods.annotation(method, type) != null;
    }

    private static void register(ReflectionHints hints, Class<?> type, Set<Class<?>> arguments) {
        // The methods of superclasses are looked up, too, and a fallback need not be public.
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            hints.registerType(c, MemberCategory.INVOKE_DECLARED_METHODS);
        }
        arguments.stream()
                .filter(argument -> !argument.isPrimitive())
                .forEach(argument -> hints.registerType(argument, MemberCategory.INVOKE_PUBLIC_METHODS));
    }
}
