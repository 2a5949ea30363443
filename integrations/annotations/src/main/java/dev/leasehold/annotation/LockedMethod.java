package dev.leasehold.annotation;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of an annotated method, read by {@link LockReader}. Immutable.
 *
 * @param method the method
 * @param target the class of the bean
 * @param kind the kind of lock
 * @param names the name of the lock, or the names of several locks
 * @param owner the owner of the lock, or null
 * @param permits the number of permits of a semaphore, or 0
 * @param waitTime the longest time to wait; null for no limit
 * @param options the options of the lock; null for those of the client
 * @param onBusy the behaviour of a call while others hold the lock
 * @param fallback the method to call if the lock is busy, or null
 * @param onLoss the behaviour of the method if the lease is lost
 * @param release the time of the release
 * @param executor the name of the pool that runs the method, or null
 * @param result the kind of the result
 */
public record LockedMethod(
        Method method,
        Class<?> target,
        Lock.Kind kind,
        List<Template> names,
        @Nullable Template owner,
        int permits,
        @Nullable Duration waitTime,
        @Nullable LockOptions options,
        Lock.OnBusy onBusy,
        @Nullable Method fallback,
        Lock.OnLoss onLoss,
        Lock.Release release,
        @Nullable String executor,
        Result result) {

    /**
     * Returns the templates of an annotation, without checks.
     *
     * @param lock the annotation
     * @return the name, or the names of several locks
     */
    public static List<String> names(Lock lock) {
        return lock.names().length > 0 ? List.of(lock.names()) : List.of(name(lock));
    }

    static String name(Lock lock) {
        return lock.name().isEmpty() ? lock.value() : lock.name();
    }

    /**
     * Returns the method for a message.
     *
     * @return its class, name and parameters
     */
    public String shown() {
        return shown(method, target);
    }

    static String shown(Method method, Class<?> target) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", target.getSimpleName() + "." + method.getName() + "(", ")"));
    }

    Class<?> resultType() {
        return method.getReturnType();
    }

    boolean declaresInterrupt() {
        return Arrays.stream(method.getExceptionTypes())
                .anyMatch(type -> type.isAssignableFrom(InterruptedException.class));
    }

    /** Returns arguments with the lease, if the method has a parameter for it. */
    @Nullable
    Object[] withLease(@Nullable Object[] arguments, Lease lease) {
        int parameter = leaseParameter(method);
        if (parameter < 0) {
            return arguments;
        }
        @Nullable Object[] given = arguments.clone();
        given[parameter] = lease;
        return given;
    }

    /** Returns the index of the parameter that receives the lease, or -1. */
    static int leaseParameter(Method method) {
        List<Class<?>> types = List.of(method.getParameterTypes());
        int one = types.indexOf(Lease.class);
        return one >= 0 ? one : types.indexOf(MultiLease.class);
    }

    /** The kind of a method's result, which determines when the method has ended. */
    public enum Result {
        /** A value: the method has ended when it returns. */
        PLAIN,
        /** A {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture}. */
        STAGE,
        /** A {@code Mono} of Reactor. */
        MONO,
        /** A {@code Flux} of Reactor, or a {@code Publisher} of Reactive Streams. */
        FLUX,
        /** A {@code Uni} of Mutiny. */
        UNI,
        /** A {@code Multi} of Mutiny. */
        MULTI
    }
}
