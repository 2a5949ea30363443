package dev.leasehold.lettuce;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.LatchNotSetException;
import dev.leasehold.recipes.LeaderElection;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.spi.Timer;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a former version of Leasehold in this JVM. Their classes come from the jars that the system property {@value #JARS} names,
 * which {@code .ci/with-former} sets; other libraries are those of this version. Each object that crosses the border is replaced by one
 * of the other side's types: interfaces by proxies, records, enums and exceptions by copies.
 */
final class FormerVersion implements AutoCloseable {

    /** The system property with the jars of the former version, in the format of a class path. */
    static final String JARS = "leasehold.former";

    private static final String OURS = "dev.leasehold.";
    private static final ClassLoader PRESENT = Leasehold.class.getClassLoader();

    /** The names in the present version of what the former one has elsewhere. */
    private static final Map<String, String> PRESENT_NAMES = Map.of(
            "dev.leasehold.DistributedLatch", DistributedLatch.class.getName(),
            "dev.leasehold.LatchNotSetException", LatchNotSetException.class.getName(),
            "dev.leasehold.LeaderElection", LeaderElection.class.getName(),
            "dev.leasehold.LeaderListener", LeaderListener.class.getName(),
            "dev.leasehold.Candidacy", Candidacy.class.getName(),
            "dev.leasehold.Term", Term.class.getName(),
            "dev.leasehold.event.DemotionReason", DemotionReason.class.getName());

    private static final Map<String, String> FORMER_NAMES =
            PRESENT_NAMES.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

    private final Loader former;

    FormerVersion() {
        String jars = System.getProperty(JARS);
        if (jars == null) {
            throw new IllegalStateException("The system property " + JARS
                    + " does not name the jars of a former version. Run .ci/with-former, which builds them");
        }
        former = new Loader(Stream.of(jars.split(System.getProperty("path.separator"), -1))
                .map(FormerVersion::url)
                .toArray(URL[]::new));
    }

    private static URL url(String jar) {
        try {
            return Path.of(jar).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(jar, e);
        }
    }

    /** Connects a client of the former version; with a timer of its own unless that is null. */
    Leasehold connect(String uri, @Nullable Timer timer) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // By it the client finds its adapter.
        thread.setContextClassLoader(former);
        try {
            Object builder = former.loadClass(Leasehold.class.getName())
                    .getMethod("builder")
                    .invoke(null);
            builder.getClass().getMethod("uri", String.class).invoke(builder, uri);
            if (timer != null) {
                builder.getClass()
                        .getMethod("timer", former.loadClass(Timer.class.getName()))
                        .invoke(builder, across(timer, former));
            }
            return (Leasehold) across(builder.getClass().getMethod("build").invoke(builder), PRESENT);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() throws IOException {
        former.close();
    }

    /** Loads Leasehold from the jars of the former version, and all else as usual. */
    private static final class Loader extends URLClassLoader {

        Loader(URL[] jars) {
            super(jars, PRESENT);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            return isOurs(name) ? findResource(name) : super.getResource(name);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return isOurs(name) ? findResources(name) : super.getResources(name);
        }

        private static boolean isOurs(String name) {
            return name.startsWith("META-INF/services/" + OURS) || name.startsWith(OURS.replace('.', '/'));
        }
    }

    /** Returns the class as the other side knows it. */
    private Class<?> counterpart(Class<?> type, ClassLoader to) throws ClassNotFoundException {
        if (type.isPrimitive()) {
            return type;
        }
        String name = type.getName();
        if (to == PRESENT) {
            return Class.forName(PRESENT_NAMES.getOrDefault(name, name), false, to);
        }
        return Class.forName(FORMER_NAMES.getOrDefault(name, name), false, to);
    }

    /** Returns what makes latches or elections: in the former version the client itself. */
    private Object recipe(Object client, Class<?> type) {
        return Proxy.newProxyInstance(PRESENT, new Class<?>[] {type}, (proxy, method, args) -> {
            String name = method.getName().equals("election") ? "leaderElection" : method.getName();
            Method theirs = client.getClass().getMethod(name, method.getParameterTypes());
            theirs.setAccessible(true);
            return across(theirs.invoke(client, args), PRESENT);
        });
    }

    /** Returns the value as the classes of this loader know it. */
    private @Nullable Object across(@Nullable Object value, ClassLoader to) throws ReflectiveOperationException {
        if (value == null) {
            return null;
        }
        if (value instanceof Optional<?> optional) {
            return optional.isEmpty() ? optional : Optional.of(across(optional.get(), to));
        }
        if (value instanceof Collection<?> collection) {
            List<@Nullable Object> copies = new ArrayList<>();
            for (Object each : collection) {
                copies.add(across(each, to));
            }
            return copies;
        }
        if (value instanceof CompletionStage<?> stage) {
            return stageAcross(stage, to);
        }
        if (value instanceof Consumer<?> consumer) {
            return consumerAcross(consumer, to);
        }
        if (Proxy.isProxyClass(value.getClass()) && Proxy.getInvocationHandler(value) instanceof Border border) {
            return border.target;
        }
        Class<?> type = value.getClass();
        if (!type.getName().startsWith(OURS)) {
            return value;
        }
        if (value instanceof Enum<?> constant) {
            return enumAcross(constant, to);
        }
        if (value instanceof Record record) {
            return recordAcross(record, to);
        }
        return proxy(value, to);
    }

    private Object enumAcross(Enum<?> constant, ClassLoader to) throws ReflectiveOperationException {
        return counterpart(constant.getDeclaringClass(), to)
                .getMethod("valueOf", String.class)
                .invoke(null, constant.name());
    }

    /** A component that this side's version of the record lacks is null on the other side. */
    private Object recordAcross(Record record, ClassLoader to) throws ReflectiveOperationException {
        Map<String, RecordComponent> ours = Arrays.stream(record.getClass().getRecordComponents())
                .collect(Collectors.toMap(RecordComponent::getName, Function.identity()));
        Class<?> type = counterpart(record.getClass(), to);
        RecordComponent[] theirs = type.getRecordComponents();
        Class<?>[] types = Arrays.stream(theirs).map(RecordComponent::getType).toArray(Class<?>[]::new);
        @Nullable Object[] values = new Object[theirs.length];
        for (int n = 0; n < values.length; n++) {
            RecordComponent component = ours.get(theirs[n].getName());
            if (component != null) {
                Method accessor = component.getAccessor();
                accessor.setAccessible(true);
                values[n] = across(accessor.invoke(record), to);
            }
        }
        return type.getDeclaredConstructor(types).newInstance(values);
    }

    /** A stage that passes the result on, and a cancellation back. */
    private CompletableFuture<@Nullable Object> stageAcross(CompletionStage<?> stage, ClassLoader to) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        CompletionStage<?> unused = stage.whenComplete((value, failure) -> {
            try {
                if (failure == null) {
                    Object theirs = across(value, to);
                    if (!result.complete(theirs) && theirs instanceof Lease late) {
                        // Cancelled meanwhile: without the border, the cancellation would have been in time, or the
                        // caller have it.
                        late.close();
                    }
                } else {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    result.completeExceptionally(exceptionAcross(cause, to));
                }
            } catch (ReflectiveOperationException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        CompletableFuture<@Nullable Object> unusedToo = result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                stage.toCompletableFuture().cancel(false);
            }
        });
        return result;
    }

    @SuppressWarnings("unchecked")
    private Consumer<Object> consumerAcross(Consumer<?> consumer, ClassLoader to) {
        ClassLoader back = to == PRESENT ? former : PRESENT;
        return value -> {
            try {
                ((Consumer<@Nullable Object>) consumer).accept(across(value, back));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private Throwable exceptionAcross(Throwable failure, ClassLoader to) throws ReflectiveOperationException {
        if (!failure.getClass().getName().startsWith(OURS)) {
            return failure;
        }
        Class<?> type = counterpart(failure.getClass(), to);
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        @Nullable Object[] values = new Object[constructor.getParameterCount()];
        for (int n = 0; n < values.length; n++) {
            Class<?> wanted = constructor.getParameterTypes()[n];
            if (wanted == String.class) {
                values[n] = failure.toString();
            } else if (wanted == boolean.class) {
                values[n] = false;
            } else if (wanted == Throwable.class) {
                values[n] = failure;
            } else if (wanted.isEnum()) {
                values[n] = wanted.getEnumConstants()[0];
            }
        }
        Throwable copy = (Throwable) constructor.newInstance(values);
        copy.addSuppressed(failure);
        return copy;
    }

    /** A proxy of all public interfaces that the other side has, too. */
    private Object proxy(Object target, ClassLoader to) throws ClassNotFoundException {
        List<Class<?>> interfaces = new ArrayList<>();
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> each : type.getInterfaces()) {
                if (Modifier.isPublic(each.getModifiers()) && !each.getName().contains(".internal.")) {
                    Class<?> theirs = counterpart(each, to);
                    if (!interfaces.contains(theirs)) {
                        interfaces.add(theirs);
                    }
                }
            }
        }
        return Proxy.newProxyInstance(to, interfaces.toArray(Class<?>[]::new), new Border(target, to));
    }

    private Class<?>[] types(Class<?>[] types, ClassLoader to) throws ClassNotFoundException {
        Class<?>[] theirs = new Class<?>[types.length];
        for (int n = 0; n < types.length; n++) {
            theirs[n] = counterpart(types[n], to);
        }
        return theirs;
    }

    /** Passes calls to an object of the other side. */
    private final class Border implements InvocationHandler {

        private final Object target;
        private final ClassLoader to;

        Border(Object target, ClassLoader to) {
            this.target = target;
            this.to = to;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args)
                throws Throwable {
            ClassLoader from = target.getClass().getClassLoader();
            if (method.getName().equals("unwrap") && args != null) {
                return recipe(target, (Class<?>) args[0]);
            }
            Method theirs = counterpart(method.getDeclaringClass(), from)
                    .getMethod(method.getName(), types(method.getParameterTypes(), from));
            theirs.setAccessible(true);
            @Nullable Object[] values = args == null ? new Object[0] : args.clone();
            for (int n = 0; n < values.length; n++) {
                values[n] = across(values[n], from);
            }
            try {
                return across(theirs.invoke(target, values), to);
            } catch (InvocationTargetException e) {
                throw exceptionAcross(e.getCause(), to);
            }
        }
    }
}
