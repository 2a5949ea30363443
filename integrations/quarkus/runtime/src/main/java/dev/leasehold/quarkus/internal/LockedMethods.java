package dev.leasehold.quarkus.internal;

import dev.leasehold.LockOptions;
import dev.leasehold.annotation.CallerTransactions;
import dev.leasehold.annotation.LockDialect;
import dev.leasehold.annotation.LockReader;
import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;

/** The settings of the methods with {@link dev.leasehold.annotation.Lock}, read once. */
@Singleton
public final class LockedMethods implements LockDialect {

    /** The results whose end the extension observes. */
    public static final Set<LockedMethod.Result> RESULTS = EnumSet.of(
            LockedMethod.Result.PLAIN, LockedMethod.Result.STAGE, LockedMethod.Result.UNI, LockedMethod.Result.MULTI);

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}:]+)(?::([^}]*))?}");

    private final Config config;
    private final LockOptions defaults;
    private final boolean transactions;
    private final Map<Key, LockedMethod> methods = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> target) {}

    LockedMethods(Config config, LockOptions defaults, Instance<CallerTransactions> transactions) {
        this.config = config;
        this.defaults = defaults;
        this.transactions = transactions.isResolvable();
    }

    /**
     * Returns the settings of a method.
     *
     * @throws LockSetupException if the annotation has errors
     */
    LockedMethod of(Method method, Class<?> target) {
        return methods.computeIfAbsent(
                new Key(method, target),
                key -> new LockReader(method, target, Annotations.find(method).orElseThrow(), defaults, this).read());
    }

    @Override
    public Set<LockedMethod.Result> results() {
        return RESULTS;
    }

    @Override
    public boolean knowsTransactions() {
        return transactions;
    }

    @Override
    public String resolve(String text) {
        return PLACEHOLDER
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), found.group(2))));
    }

    private String value(String property, String otherwise) {
        return config.getOptionalValue(property, String.class).orElseGet(() -> {
            if (otherwise == null) {
                throw new IllegalArgumentException("the property '" + property + "' is not set");
            }
            return otherwise;
        });
    }
}
