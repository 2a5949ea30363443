package dev.leasehold.annotation;

import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.Renewal;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads an annotation, and reports all its errors together. Used once. */
public final class LockReader {

    private static final int MAX_PERMITS = 1_000_000;

    private final Method method;
    private final Class<?> target;
    private final Lock lock;
    private final LockOptions defaults;
    private final LockDialect dialect;
    private final List<String> problems = new ArrayList<>();

    /**
     * Creates a reader.
     *
     * @param method the method; of the class of the bean, if that overrides it
     * @param target the class of the bean
     * @param lock the annotation
     * @param defaults the options that the annotation omits: those of the client
     * @param dialect how the framework reads the annotation
     */
    public LockReader(Method method, Class<?> target, Lock lock, LockOptions defaults, LockDialect dialect) {
        this.method = method;
        this.target = target;
        this.lock = lock;
        this.defaults = defaults;
        this.dialect = dialect;
    }

    /**
     * Reads the annotation.
     *
     * @return the settings of the method
     * @throws LockSetupException if it has errors
     */
    public LockedMethod read() {
        LockedMethod.Result result = ResultTypes.resultOf(method.getReturnType());
        boolean inPool = !lock.executor().isEmpty();
        checkModifiers();
        checkKind();
        checkResult(result, inPool);
        MethodParameters parameters = MethodParameters.of(method, dialect.parameterNames(method));
        List<Template> names = names(parameters);
        Template owner = lock.owner().isEmpty() ? null : attempt(() -> template(lock.owner(), parameters));
        Duration waitTime = attempt(this::waitTime);
        LockOptions options = attempt(() -> options(result == LockedMethod.Result.PLAIN && !inPool));
        Method fallback = attempt(this::fallback);
        String executor = inPool ? attempt(() -> text(lock.executor())) : null;
        if (!problems.isEmpty()) {
            throw new LockSetupException(problems);
        }
        return new LockedMethod(
                method,
                target,
                lock.kind(),
                names,
                owner,
                lock.permits(),
                waitTime,
                options,
                lock.onBusy(),
                fallback,
                lock.onLoss(),
                lock.release(),
                executor,
                result);
    }

    private Template template(String source, MethodParameters parameters) {
        return Template.parse(source, parameters, this::text, dialect.expressions());
    }

    private void problem(String what) {
        problems.add(LockedMethod.shown(method, target) + " " + what);
    }

    private <T> @Nullable T attempt(Supplier<@Nullable T> step) {
        try {
            return step.get();
        } catch (IllegalArgumentException e) {
            problem("cannot work: " + e.getMessage());
            return null;
        }
    }

    private String text(String source) {
        return dialect.resolve(source);
    }

    /** Returns the templates of the name, or of the names of several locks. */
    private List<Template> names(MethodParameters parameters) {
        if (lock.names().length == 0) {
            checkSingle();
        } else {
            checkSeveral(List.of(lock.names()));
        }
        List<Template> names = new ArrayList<>();
        for (String source : LockedMethod.names(lock)) {
            Template name = attempt(() -> template(source, parameters));
            if (name != null) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    private void checkSingle() {
        if (LockedMethod.name(lock).isEmpty()) {
            problem("has no name. Write one, such as @Lock(\"order:#{#order.id}\")");
        }
        if (!lock.name().isEmpty() && !lock.value().isEmpty()) {
            problem("has value and name, which are the same. Write one of them");
        }
        if (Arrays.asList(method.getParameterTypes()).contains(MultiLease.class)) {
            problem("has a parameter of the type MultiLease, but one lock. Make it a Lease, or write names");
        }
    }

    private void checkSeveral(List<String> names) {
        if (!LockedMethod.name(lock).isEmpty()) {
            problem("has name and names. Write the name of one lock as name, or those of several as names");
        }
        if (names.size() == 1) {
            problem("has one name in names. Write it as name");
        }
        if (names.contains("")) {
            problem("has an empty name in names. Omit it");
        }
        if (Set.copyOf(names).size() < names.size()) {
            problem("has a name twice in names, and the second would wait for the first. Write each name once");
        }
        if (lock.kind() != Lock.Kind.REENTRANT) {
            problem("has names and kind = " + lock.kind()
                    + ", but only reentrant locks can be acquired together. Omit kind, or write one name");
        }
        if (!lock.owner().isEmpty()) {
            problem("has names and an owner, which locks that are acquired together cannot have. Omit one of them");
        }
    }

    private void checkModifiers() {
        int modifiers = method.getModifiers();
        String no = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : "";
        if (!no.isEmpty()) {
            problem("is " + no
                    + ": no proxy can intercept it, and it would run without the lock. Make it an overridable"
                    + " method that other beans call");
        }
    }

    private void checkKind() {
        boolean semaphore = lock.kind() == Lock.Kind.SEMAPHORE;
        if (semaphore && (lock.permits() < 1 || lock.permits() > MAX_PERMITS)) {
            problem("is a semaphore with " + lock.permits() + " permits. Give permits, 1 to " + MAX_PERMITS
                    + ", the same in every use of the name");
        }
        if (!semaphore && lock.permits() != 0) {
            problem("has permits but is not a semaphore. Omit them, or set kind = SEMAPHORE");
        }
        if (!lock.owner().isEmpty() && (semaphore || lock.kind() == Lock.Kind.READ)) {
            problem("has an owner, which a " + (semaphore ? "semaphore" : "reader") + " cannot have. Omit it");
        }
        if (!lock.minHold().isEmpty() && !mayBeKept()) {
            problem("has minHold, which only a single reentrant or fair lock without an owner can have. Omit it");
        }
        if ((lock.onBusy() == Lock.OnBusy.FALLBACK) == lock.fallback().isEmpty()) {
            problem("has onBusy = " + lock.onBusy() + " and fallback = \"" + lock.fallback()
                    + "\". Set both, onBusy = FALLBACK and the name of a method, or neither");
        }
    }

    private boolean mayBeKept() {
        return (lock.kind() == Lock.Kind.REENTRANT || lock.kind() == Lock.Kind.FAIR)
                && lock.owner().isEmpty()
                && lock.names().length == 0;
    }

    private void checkResult(LockedMethod.Result result, boolean inPool) {
        Class<?> type = method.getReturnType();
        if (!dialect.results().contains(result)
                || (result == LockedMethod.Result.PLAIN && ResultTypes.endsLater(type))) {
            problem("returns a " + type.getSimpleName() + ", whose end cannot be observed. Return a "
                    + ResultTypes.observed(dialect.results()));
        }
        if (ResultTypes.suspends(method)) {
            problem("is a suspend function, whose end cannot be observed. Acquire the lock in its body, with"
                    + " leasehold-kotlin");
        }
        if (result != LockedMethod.Result.PLAIN && (inPool || lock.release() == Lock.Release.AFTER_TRANSACTION)) {
            problem("returns a " + type.getSimpleName()
                    + ", which cannot be combined with executor or release = AFTER_TRANSACTION."
                    + " Omit them");
        }
        if (inPool && lock.release() == Lock.Release.AFTER_TRANSACTION) {
            problem(
                    "runs in another thread than its caller's transaction. Omit executor or release = AFTER_TRANSACTION");
        }
        if (lock.release() == Lock.Release.AFTER_TRANSACTION && !dialect.knowsTransactions()) {
            problem(
                    "has release = AFTER_TRANSACTION, but the end of a transaction cannot be observed here. Omit it, and"
                            + " put @Lock on the method that opens the transaction");
        }
        if (lock.onBusy() == Lock.OnBusy.SKIP && type.isPrimitive() && type != void.class) {
            problem("returns " + type + ", and onBusy = SKIP would have no value to return. Return "
                    + "an object, or set onBusy = FALLBACK");
        }
    }

    private @Nullable Duration waitTime() {
        String text = text(lock.waitTime());
        return text.equals(Lock.FOREVER) ? null : Durations.parse("waitTime", text);
    }

    private @Nullable LockOptions options(boolean interruptible) {
        boolean interrupt = interruptible && lock.onLoss() == Lock.OnLoss.INTERRUPT;
        if (lock.leaseTime().isEmpty()
                && lock.maxHold().isEmpty()
                && lock.minHold().isEmpty()
                && lock.renewalRatio() == -1
                && lock.maxRenewals() == -1
                && interrupt == defaults.interruptOnLoss()) {
            return null;
        }
        LockOptions.Builder options =
                defaults.toBuilder().interruptOnLoss(interrupt).renewal(renewal());
        if (!lock.leaseTime().isEmpty()) {
            options.leaseTime(Durations.parse("leaseTime", text(lock.leaseTime())));
        }
        if (!lock.maxHold().isEmpty()) {
            options.maxHold(Durations.parse("maxHold", text(lock.maxHold())));
        }
        if (!lock.minHold().isEmpty()) {
            options.minHold(Durations.parse("minHold", text(lock.minHold())));
        }
        return options.build();
    }

    private Renewal renewal() {
        Renewal base = defaults.renewal().enabled() ? defaults.renewal() : Renewal.whileHeld();
        if (lock.renewalRatio() == -1 && lock.maxRenewals() == -1) {
            return defaults.renewal();
        }
        if (lock.renewalRatio() == 0 || lock.maxRenewals() == 0) {
            return Renewal.none();
        }
        return new Renewal(
                lock.renewalRatio() == -1 ? base.ratio() : lock.renewalRatio(),
                lock.maxRenewals() == -1 ? base.times() : lock.maxRenewals());
    }

    private @Nullable Method fallback() {
        return lock.fallback().isEmpty() || lock.onBusy() != Lock.OnBusy.FALLBACK
                ? null
                : Fallbacks.find(lock.fallback(), method, target);
    }
}
