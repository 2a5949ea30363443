package dev.leasehold.micronaut;

import dev.leasehold.annotation.LockDialect;
import dev.leasehold.annotation.LockedMethod;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.inject.ExecutableMethod;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** How Micronaut reads the annotation: placeholders of the environment, and the names that its processor recorded. */
final class MicronautDialect implements LockDialect {

    private final Environment environment;
    private final ExecutableMethod<?, ?> method;

    MicronautDialect(Environment environment, ExecutableMethod<?, ?> method) {
        this.environment = environment;
        this.method = method;
    }

    @Override
    public Set<LockedMethod.Result> results() {
        return EnumSet.range(LockedMethod.Result.PLAIN, LockedMethod.Result.FLUX);
    }

    @Override
    public List<String> parameterNames(Method ignored) {
        return List.of(method.getArgumentNames());
    }

    @Override
    public String resolve(String text) {
        try {
            return environment.getPlaceholderResolver().resolveRequiredPlaceholders(text);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
