package dev.leasehold.spring;

import dev.leasehold.annotation.LockDialect;
import dev.leasehold.annotation.LockedMethod;
import dev.leasehold.annotation.NameExpressions;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/** How Spring reads the annotation: placeholders of the environment, and the Spring Expression Language. */
final class SpringDialect implements LockDialect {

    private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();
    private static final NameExpressions EXPRESSIONS = new SpelExpressions();

    private final BeanFactory beans;

    SpringDialect(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public Set<LockedMethod.Result> results() {
        return EnumSet.of(
                LockedMethod.Result.PLAIN,
                LockedMethod.Result.STAGE,
                LockedMethod.Result.MONO,
                LockedMethod.Result.FLUX);
    }

    @Override
    public List<String> parameterNames(Method method) {
        String[] found = DISCOVERER.getParameterNames(method);
        return found == null || Arrays.asList(found).contains(null) ? List.of() : List.of(found);
    }

    @Override
    public String resolve(String text) {
        String resolved = beans instanceof ConfigurableBeanFactory factory ? factory.resolveEmbeddedValue(text) : text;
        return resolved == null ? text : resolved;
    }

    @Override
    public NameExpressions expressions() {
        return EXPRESSIONS;
    }

    @Override
    public boolean knowsTransactions() {
        return true;
    }
}
