package dev.leasehold.spring;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads an annotation, and reports all its errors together. */
final class LockReader {

    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";
    private static final Set<String> OUTSIDE_THE_CALLERS_TRANSACTION = Set.of("REQUIRES_NEW", "NOT_SUPPORTED");
    private static final int MAX_PERMITS = 1_000_000;

    private final Method method;
    private final Class<?> target;
    private final Lock lock;
    private final LockOptions defaults;
    private final UnaryOperator<String> placeholders;
    private final List<String> problems = new ArrayList<>();
    private final String shown;

    LockReader(Method method, Class<?> target, Lock lock, LockOptions defaults, UnaryOperator<String> placeholders) {
        this.method = method;
        this.target = target;
        this.lock = lock;
        this.defaults = defaults;
        this.placeholders = placeholders;
        this.shown = shown(method, target);
    }

    static String shown(Method method, Class<?> target) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", target.getSimpleName() + "." + method.getName() + "(", ")"));
    }

    /**
     * Reads the annotation.
     *
     * @throws LockSetupException if it has errors
     */
    LockedMethod read() {
        LockedMethod.Result result = result();
        boolean inPool = !lock.executor().isEmpty();
        checkModifiers();
        checkKind();
        checkResult(result, inPool);
        ParameterNames parameters = ParameterNames.of(method);
        List<Template> names = names(parameters);
        Template owner =
                lock.owner().isEmpty() ? null : attempt(() -> Template.parse(lock.owner(), parameters, placeholders));
        Duration waitTime = attempt(this::waitTime);
        LockOptions options = attempt(() -> options(result == LockedMethod.Result.PLAIN && !inPool));
        Method fallback = attempt(this::fallback);
        if (!problems.isEmpty()) {
            throw new LockSetupException(problems);
        }
        return new LockedMethod(
                shown,
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
                inPool ? text(lock.executor()) : null,
                LockedMethod.leaseParameter(method),
                result,
                method.getReturnType(),
                Arrays.stream(method.getExceptionTypes())
                        .anyMatch(type -> type.isAssignableFrom(InterruptedException.class)),
                hasOwnTransaction());
    }

    private void problem(String what) {
        problems.add(shown + " " + what);
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
        return placeholders.apply(source);
    }

    /** Returns the templates of the name, or of the names of several locks. */
    private List<Template> names(ParameterNames parameters) {
        List<String> sources = List.of(lock.names());
        if (sources.isEmpty()) {
            checkSingle();
            sources = List.of(lock.name());
        } else {
            checkSeveral(sources);
        }
        List<Template> names = new ArrayList<>();
        for (String source : sources) {
            Template name = attempt(() -> Template.parse(source, parameters, placeholders));
            if (name != null) {
                names.add(name);
            }
        }
        return List.copyOf(names);
    }

    private void checkSingle() {
        if (lock.name().isEmpty()) {
            problem("has no name. Write one, such as @Lock(\"order:#{#order.id}\")");
        }
        if (Arrays.asList(method.getParameterTypes()).contains(MultiLease.class)) {
            problem("has a parameter of the type MultiLease, but one lock. Make it a Lease, or write names");
        }
    }

    private void checkSeveral(List<String> names) {
        if (!lock.name().isEmpty()) {
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

    private LockedMethod.Result result() {
        Class<?> type = method.getReturnType();
        return switch (type.getName()) {
            case "reactor.core.publisher.Mono" -> LockedMethod.Result.MONO;
            case "reactor.core.publisher.Flux" -> LockedMethod.Result.FLUX;
            default ->
                type == CompletionStage.class || type == CompletableFuture.class
                        ? LockedMethod.Result.STAGE
                        : LockedMethod.Result.PLAIN;
        };
    }

    private void checkResult(LockedMethod.Result result, boolean inPool) {
        Class<?> type = method.getReturnType();
        if (result == LockedMethod.Result.PLAIN && endsLater(type)) {
            problem("returns a " + type.getSimpleName() + ", whose end cannot be observed. Return a"
                    + " CompletionStage, CompletableFuture, Mono or Flux");
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
        if (lock.onBusy() == Lock.OnBusy.SKIP && type.isPrimitive() && type != void.class) {
            problem("returns " + type + ", and onBusy = SKIP would have no value to return. Return "
                    + "an object, or set onBusy = FALLBACK");
        }
    }

    private static boolean endsLater(Class<?> type) {
        if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
            return true;
        }
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (Arrays.stream(c.getInterfaces()).anyMatch(LockReader::isPublisher)) {
                return true;
            }
        }
        return isPublisher(type);
    }

    private static boolean isPublisher(Class<?> type) {
        return type.getName().equals("org.reactivestreams.Publisher")
                || type.getName().equals("java.util.concurrent.Flow$Publisher");
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

    private boolean hasOwnTransaction() {
        MergedAnnotation<?> transactional =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(TRANSACTIONAL);
        if (!transactional.isPresent()) {
            transactional = MergedAnnotations.from(target, SearchStrategy.TYPE_HIERARCHY)
                    .get(TRANSACTIONAL);
        }
        return transactional.isPresent()
                && OUTSIDE_THE_CALLERS_TRANSACTION.contains(
                        String.valueOf(transactional.getValue("propagation").orElse("")));
    }
}
